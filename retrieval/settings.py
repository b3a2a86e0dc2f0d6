"""Environment and .env to frozen settings, read once, in an entry point."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeVar
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, SettingsConfigDict

from retrieval.errors import ConfigurationError

EMBEDDED_FLOOR = 0.5
"""Of the embedded reranker, whose relevance is made so, also while it stands in for a served one."""

SERVED_FLOOR = 0.5
"""Of a served reranker until it is calibrated: where those that give a probability are undecided."""

_PUBLIC_MINERU = ".mineru.net"


@dataclass(frozen=True, slots=True)
class ModelAddress:
    """Where a model is served. `service` is what its settings begin with; `model` None: the one that is served."""

    service: str
    base_url: str
    model: str | None = None
    key: str | None = field(default=None, repr=False)

    def with_model(self, model: str) -> "ModelAddress":
        """The same server by another model's name."""
        return replace(self, model=model)

    def __str__(self) -> str:
        """Without what may be secret."""
        parts = urlsplit(self.base_url)
        return f"{self.model or 'the model served'} at {parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


class RetrievalSettings(BaseSettings):
    """What retrieval needs to know. Defaults run on one machine with the embedded models."""

    model_config = SettingsConfigDict(env_file=".env", extra="ignore", frozen=True, env_ignore_empty=True)

    data_dir: Path = Field(Path("data"), description="Where documents, indexes and the database are kept")
    database_url: str | None = Field(None, description="SQLAlchemy URL of the store; unset: footnote.db in DATA_DIR")
    audit_days: Annotated[int, Field(ge=1, le=3650)] = Field(
        90, description="Days after which the audit forgets a question, with all that was kept of it"
    )
    chunk_size: Annotated[int, Field(ge=50, le=20_000)] = Field(500, description="Longest chunk, in characters")
    chunk_overlap: Annotated[int, Field(ge=0)] = Field(
        50, description="Characters that a chunk repeats from the one before when running text is cut"
    )
    recall_candidates: Annotated[int, Field(ge=1, le=1000)] = Field(
        30, description="Passages that recall hands to the reranker"
    )
    evidence_passages: Annotated[int, Field(ge=1, le=50)] = Field(
        5, description="Passages that the answer is made from"
    )
    fusion_alpha: Annotated[float, Field(ge=0, le=1)] = Field(
        0.5, description="Weight of meaning against keywords: 1 is vectors alone, 0 is BM25 alone"
    )
    relevance_floor: Annotated[float, Field(ge=0, le=1)] | None = Field(
        None,
        description="Best relevance below which a question is refused; unset: as calibrated for the reranker, or 0.5",
    )
    chat_base_url: str | None = Field(None, description="OpenAI-compatible chat server, with its /v1; unset: quotes")
    chat_model: str | None = Field(None, description="Its model; unset: the one it serves")
    chat_api_key: SecretStr | None = Field(None, description="Its key, where it wants one")
    chat_window_tokens: Annotated[int, Field(ge=2000)] = Field(8000, description="Tokens that its model can hold")
    extractor_base_url: str | None = Field(None, description="Chat server for understanding questions; unset: CHAT_…")
    extractor_model: str | None = Field(None, description="Its model, which may think; unset: CHAT_MODEL")
    extractor_api_key: SecretStr | None = Field(None, description="Its key; unset: CHAT_API_KEY")
    embedding_base_url: str | None = Field(None, description="OpenAI-compatible embedding server; unset: embedded")
    embedding_model: str | None = Field(None, description="Its model; unset: the one it serves")
    embedding_api_key: SecretStr | None = Field(None, description="Its key, where it wants one")
    embedding_instruction: str = Field(
        "Given a question, retrieve passages that answer it",
        description="What queries, not passages, are told to the model as the task, in English; -: nothing",
    )
    embedding_max_chars: Annotated[int, Field(ge=100)] = Field(
        2000, description="Longest text sent to it, in characters; keep it below the server's limit"
    )
    reranker_api: Literal["swift", "rerank", "tei", "sglang"] = Field(
        "rerank", description="What the reranker server speaks; rerank: vLLM, llama.cpp, Infinity, Cohere, Jina"
    )
    reranker_base_url: str | None = Field(
        None, description="Reranker server, with its /v1 or /v2 if it has one; unset: embedded"
    )
    reranker_model: str | None = Field(None, description="Its model; unset: the one it serves")
    reranker_api_key: SecretStr | None = Field(None, description="Its key, where it wants one")
    reranker_max_chars: Annotated[int, Field(ge=100)] = Field(
        4000, description="Longest passage sent to it, in characters; keep it below the server's limit"
    )
    query_strategy: Literal["q2e", "q2d", "cot", "multi", "none"] = Field(
        "q2e", description="How a language model widens a question for search"
    )
    query_count: Annotated[int, Field(ge=2, le=10)] = Field(3, description="Queries of the strategy multi")
    rerank_query: Literal["expanded", "main"] = Field(
        "expanded", description="What passages are reranked against: the query with its expansions, or alone"
    )
    refusal_message: str | None = Field(
        None, description="What is said where the documents hold no answer; unset: a sentence in the asker's language"
    )
    verifier: Literal["embedded", "reranker", "llm"] = Field(
        "embedded", description="What judges whether a passage bears a statement out, beside the rules for facts"
    )
    unverified: Literal["partial", "warn"] = Field(
        "partial", description="What becomes of statements that nothing bears out: left out, or shown with a warning"
    )
    question_budget_s: Annotated[float, Field(ge=1, le=600)] = Field(
        60, description="Seconds that one question may take before what is there must do"
    )
    max_file_mb: Annotated[int, Field(ge=1, le=1000)] = Field(50, description="Largest file taken in, in MB")
    mineru_tier: Literal["flash", "basic", "standard", "advanced"] | None = Field(
        None,
        description="MinerU's tier; unset: flash, which needs no weights, or standard on a server of MINERU_API_URL",
    )
    mineru_api_url: str | None = Field(
        None, description="A MinerU 4.0.12 server of yours; unset: MinerU on this machine"
    )
    mineru_api_key: SecretStr | None = Field(None, description="Its key, where it wants one")

    @field_validator("mineru_api_url")
    @classmethod
    def _mineru_server_is_ones_own(cls, value: str | None) -> str | None:
        parts = urlsplit(value or "http://unset")
        if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
            raise ValueError("give the address of a MinerU server, for example http://localhost:8000, and no key in it")
        if f".{parts.hostname.rstrip('.')}".endswith(_PUBLIC_MINERU):
            raise ValueError("mineru.net is open to the public, no place for documents; name a server of your own")
        return value

    @field_validator("embedding_instruction")
    @classmethod
    def _dash_is_nothing(cls, value: str) -> str:
        return "" if value.strip() == "-" else value

    @model_validator(mode="after")
    def _overlap_leaves_room(self) -> Self:
        if self.chunk_overlap * 2 > self.chunk_size:
            raise ValueError("CHUNK_OVERLAP must be at most half of CHUNK_SIZE")
        return self

    @model_validator(mode="after")
    def _verifier_is_served(self) -> Self:
        needed = {
            "reranker": ("RERANKER_BASE_URL", self.reranker_base_url),
            "llm": ("CHAT_BASE_URL", self.chat_base_url),
        }
        variable, address = needed.get(self.verifier, ("", "none"))
        if not address:
            raise ValueError(f"VERIFIER={self.verifier} needs {variable}")
        return self

    @model_validator(mode="after")
    def _chunks_fit_the_embedding_server(self) -> Self:
        if self.embedding_base_url and self.chunk_size > self.embedding_max_chars:
            raise ValueError("CHUNK_SIZE must not be larger than EMBEDDING_MAX_CHARS, or passages are embedded in part")
        return self

    @property
    def store_url(self) -> str:
        return self.database_url or f"sqlite:///{self.data_dir / 'footnote.db'}"

    @property
    def mineru_server(self) -> ModelAddress | None:
        return _address("MINERU", self.mineru_api_url, None, self.mineru_api_key)

    @property
    def mineru_tier_used(self) -> str:
        return self.mineru_tier or ("standard" if self.mineru_api_url else "flash")

    @property
    def chat_server(self) -> ModelAddress | None:
        return _address("CHAT", self.chat_base_url, self.chat_model, self.chat_api_key)

    @property
    def extractor_server(self) -> ModelAddress | None:
        """One of its own where any EXTRACTOR_… is set, else the chat server."""
        if not any((self.extractor_base_url, self.extractor_model, self.extractor_api_key)):
            return self.chat_server
        return _address(
            "EXTRACTOR",
            self.extractor_base_url or self.chat_base_url,
            self.extractor_model or (None if self.extractor_base_url else self.chat_model),
            self.extractor_api_key or (None if self.extractor_base_url else self.chat_api_key),
        )

    @property
    def embedding_server(self) -> ModelAddress | None:
        return _address("EMBEDDING", self.embedding_base_url, self.embedding_model, self.embedding_api_key)

    @property
    def reranker_server(self) -> ModelAddress | None:
        return _address("RERANKER", self.reranker_base_url, self.reranker_model, self.reranker_api_key)


def _address(service: str, base_url: str | None, model: str | None, key: SecretStr | None) -> ModelAddress | None:
    return ModelAddress(service, base_url, model, key.get_secret_value() if key else None) if base_url else None


Settings = TypeVar("Settings", bound=BaseSettings)


def load(kind: type[Settings], overrides: Mapping[str, Any] | None = None) -> Settings:
    """Settings of that kind; overrides win over the environment, which wins over .env.

    Raises ConfigurationError with one line that names each variable and what is wrong with it.
    """
    try:
        return kind(**(overrides or {}))
    except ValidationError as error:
        raise ConfigurationError("; ".join(map(_one_line, error.errors()))) from None
    except UnicodeDecodeError:
        raise ConfigurationError(".env: it is no UTF-8 text; write it anew from .env.example") from None


def _one_line(problem: ErrorDetails) -> str:
    variable = "_".join(str(part) for part in problem["loc"]).upper()
    what = problem["msg"].removeprefix("Value error, ")
    return f"{variable}: {what}" if variable else what
