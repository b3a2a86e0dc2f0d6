"""A scripted service of no particular task: its settings, its faults, what it keeps, and how it refuses."""

import time
from abc import abstractmethod
from dataclasses import dataclass, field
from typing import Any, Literal

from tests.model_servers.faults import Crowd, Fault, Faults
from tests.model_servers.server import Answer, Hang, Request, Reset, Response, Trickle

ServerKind = Literal["swift", "vllm", "llama.cpp", "tei", "sglang"]
"""ms-swift, vLLM, llama.cpp, text-embeddings-inference, SGLang."""

Body = dict[str, Any]


class Refused(Exception):
    """Ends a call with an error answer."""

    def __init__(self, status: int, body: Any) -> None:
        super().__init__(str(body))
        self.status, self.body = status, body


@dataclass
class Service:
    """A model behind a server of some kind. Every setting may be changed while it runs.

    `model` is its served name; `api_key`, where set, is demanded; each call takes `latency_s`; a text longer than
    `max_chars` is refused as this kind of server does.
    """

    server: ServerKind = "vllm"
    model: str = ""
    api_key: str | None = None
    latency_s: float = 0.0
    max_chars: int | None = None
    requests: list[Request] = field(default_factory=list, init=False)
    faults: Faults = field(default_factory=Faults, init=False)
    crowd: Crowd = field(default_factory=Crowd, init=False)

    def fail(
        self, fault: Fault, times: int | None = None, *, retry_after: str | None = "0", slow_s: float = 0.5
    ) -> None:
        """From now on, for that many calls or until healed. `retry_after` goes with 429 and 503."""
        self.faults.set(fault, times, retry_after, slow_s)

    def heal(self) -> None:
        """No more faults."""
        self.faults.set(None, None, None, 0.0)

    def hold(self, calls: int) -> None:
        """From now on calls wait, until that many are there at the same time; then all go on."""
        self.crowd.hold(calls)

    @property
    def calls(self) -> list[Request]:
        """The requests that asked for something: all but those for the model's name or health."""
        return [request for request in self.requests if request.method == "POST"]

    @property
    def bodies(self) -> list[Body]:
        """What the calls asked."""
        return [request.body for request in self.calls]

    @property
    def most_at_once(self) -> int:
        """The greatest number of calls that were there at the same time."""
        return self.crowd.most

    def get(self, request: Request) -> Answer:
        """What a GET gives, whatever else calls suffer from."""
        if self.faults.down:
            return Reset()
        try:
            return self._told(request)
        except Refused as refused:
            return Response(refused.status, refused.body)

    def post(self, request: Request) -> Answer:
        """What a call gives, in its time."""
        with self.crowd.present():
            fault = self.faults.take()
            match fault:
                case "refused":
                    return Reset()
                case "hang":
                    return Hang()
                case "trickle":
                    return Trickle()
                case "slow_then_fine":
                    time.sleep(self.faults.slow_s)
            time.sleep(self.latency_s)
            return self._fair(request, fault)

    def _fair(self, request: Request, fault: Fault | None) -> Response:
        try:
            self._stumble(fault)
            self._demand_key(request)
            if not isinstance(request.body, dict):
                wrong = {"type": "model_attributes_type", "loc": ["body"], "msg": "Input should be a valid dictionary"}
                raise Refused(422, {"detail": [wrong]})
            self._demand_model(request.body)
            return self.answer(request.path, request.body, fault)
        except Refused as refused:
            later = self.faults.retry_after if refused.status in {429, 503} else None
            return Response(refused.status, refused.body, {} if later is None else {"Retry-After": later})

    @abstractmethod
    def answer(self, path: str, body: Body, fault: Fault | None) -> Response:
        """What a call with the right key and model gives, with that fault in it. Raises Refused."""

    def _told(self, request: Request) -> Response:
        route = request.path.rsplit("/", 1)[-1]
        if route == "health":
            return Response(200, "")  # whatever happens: it is no proof of life
        if route == "info" and self.server == "tei":
            return Response(200, {"model_id": self.model, "max_client_batch_size": 32})
        if route != "models" or self.server == "tei":
            raise self.no_route()
        if self.server != "swift":
            self._demand_key(request)
        model = {"id": self.model, "object": "model", "owned_by": self.server}
        return Response(200, {"object": "list", "data": [model]})

    def _stumble(self, fault: Fault | None) -> None:
        match fault:
            case "400":
                raise self.refused(400, "list index out of range")
            case "429":
                raise self.refused(429, "Model is overloaded")
            case "500":
                raise Refused(500, "Internal Server Error")
            case "503":
                raise self.refused(503, "Loading model")
            case "wrong_json":
                raise Refused(200, '{"object": "list", "data": [{"index": 0, "obj')

    def no_route(self) -> Refused:
        return Refused(404, {"detail": "Not Found"})

    def refused(self, status: int, message: str, kind: str = "BadRequestError") -> Refused:
        """An error in the server's shape."""
        match self.server:
            case "swift":
                return Refused(status, {"message": message, "object": "error"})
            case "tei":
                return Refused(status, {"error": message, "error_type": "Validation"})
        flat = {"message": message, "type": kind, "param": None, "code": status}
        return Refused(status, {"object": "error", **flat} if self.server == "sglang" else {"error": flat})

    def demand_length(self, *texts: str) -> None:
        longest, most = max(map(len, texts), default=0), self.max_chars
        if most is None or longest <= most:
            return
        match self.server:
            case "swift":
                raise self.refused(400, f"Current length of row({longest}) is larger than the max_length({most}).")
            case "llama.cpp":
                too_large = "input is too large to process. increase the physical batch size"
                raise self.refused(500, too_large, "server_error")
            case "tei":
                raise self.refused(413, f"`inputs` must have less than {most} tokens. Given: {longest}")
        limit = f"This model's maximum context length is {most} tokens"
        raise self.refused(400, f"{limit}. However, your prompt contains at least {most + 1} input tokens.")

    def _demand_key(self, request: Request) -> None:
        if self.api_key is None or request.headers.get("authorization") == f"Bearer {self.api_key}":
            return
        if self.server == "swift":
            raise self.refused(400, "API key error")
        raise Refused(401, "" if self.server == "tei" else {"error": "Unauthorized"})

    def _demand_model(self, body: Body) -> None:
        asked = body.get("model")
        if self.server == "swift" and asked is None:
            missing = {"type": "missing", "loc": ["body", "model"], "msg": "Field required", "input": body}
            raise Refused(422, {"detail": [missing]})
        if self.server == "swift" and asked != self.model:
            raise self.refused(400, f"`{asked}` is not in the model_list: `['{self.model}']`.")
        if self.server == "vllm" and asked not in {None, self.model}:
            raise self.refused(404, f"The model `{asked}` does not exist.", "NotFoundError")
