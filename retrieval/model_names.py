"""What settings and servers call a model: the one by its path on a model hub, the other often without. Pure."""

from collections.abc import Sequence


def last_part(name: str) -> str:
    """Of a name that may be a path: `Qwen/Qwen3-4B` is `Qwen3-4B`."""
    return name.rstrip("/").rpartition("/")[2]


def as_served(configured: str, served: Sequence[str]) -> str | None:
    """What the server calls the configured model: the same, else the first whose last part is, whatever its case."""
    if configured in served:
        return configured
    wanted = last_part(configured).lower()
    return next((name for name in served if last_part(name).lower() == wanted), None)


def reranker_among(served: Sequence[str]) -> str | None:
    """The one to ask where nobody chose: the first that calls itself a reranker, else the first."""
    return next((name for name in served if "rerank" in name.lower()), served[0] if served else None)
