"""The model's name as its server knows it, asked for once."""

import json
import logging

from retrieval.adapters.http_reranker.connection import Connection
from retrieval.errors import ServiceUnavailable
from retrieval.model_names import as_served, reranker_among

log = logging.getLogger(__name__)


class ServedModel:
    """A configured name, or the one that the server tells. ms-swift serves `Qwen/Qwen3-Reranker-0.6B` under the last
    part of its path alone: `by_last_part` takes the server's name for the configured one where these agree."""

    def __init__(self, connection: Connection, configured: str | None, *, by_last_part: bool) -> None:
        self._connection = connection
        self._configured = configured
        self._by_last_part = by_last_part
        self._settled = bool(configured) and not by_last_part
        self.known = configured

    def name(self) -> str | None:
        """None where the server does not tell; most need no name then."""
        if not self._settled:
            self._ask()
        return self.known

    def is_renamed(self) -> bool:
        """Whether the server, asked anew, tells another name than before; never where one is configured."""
        if self._configured or not self.known:
            return False
        before = self.known
        self._ask()
        return self.known != before

    def _ask(self) -> None:
        """Best effort: a server that is down is asked again the next time, one that will not tell is not."""
        try:
            answer = self._connection.get("models")
        except ServiceUnavailable as error:
            log.info("asking for the model's name: %s", error)
            return
        self.known = self._chosen(_ids(answer.text)) if answer.ok else self._configured
        self._settled = answer.status < 500

    def _chosen(self, served: list[str]) -> str | None:
        if self._configured:
            return as_served(self._configured, served) or self._configured
        return reranker_among(served)


def _ids(text: str) -> list[str]:
    try:
        match json.loads(text):
            case {"data": [*models]}:
                return [model["id"] for model in models if isinstance(model, dict) and isinstance(model.get("id"), str)]
    except (ValueError, RecursionError):
        pass
    return []
