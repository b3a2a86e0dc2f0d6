"""The stored vectors and the embedding model in use to a check: whether they go together."""

from collections.abc import Callable

from retrieval.ports import EmbeddingModel
from retrieval.types import SAME_MODEL_COSINE, Check, CheckStatus, Facts, StoreState

Stored = Callable[[str | None], StoreState]
"""The store, with an example by the model of that name. Raises ConfigurationError, ServiceUnavailable."""


def stored_vectors_check(subject: str, stored: Stored, model: EmbeddingModel) -> Check:
    """Whether the passages can be found by vectors of this model. Raises ConfigurationError, ServiceUnavailable."""
    state = stored(model.name)
    facts: Facts = {
        "model": model.name,
        "passages": state.passages,
        "vectors": [f"{one.passages} by {one.model}, {one.width} wide" for one in state.vectors],
    }
    status, advice = _judged(state, model)
    return Check(subject, status, facts, advice)


def _judged(state: StoreState, model: EmbeddingModel) -> tuple[CheckStatus, str]:
    name, width = model.name, model.dim
    mine = next((vectors for vectors in state.vectors if vectors.model == name), None)
    if mine and mine.width != width:
        return "wrong", (
            f"{name} now gives vectors {width} wide, those of the passages are {mine.width} wide: another model runs"
            " under its name; start the former one, or run: footnote kb reembed"
        )
    if mine and not _is_same_model(state, model):
        return "wrong", (
            f"what answers for {name} is not the model that embedded the passages; start the former one, or serve this"
            " one under a name of its own and run: footnote kb reembed"
        )
    lacking = state.passages - (mine.passages if mine else 0)
    if lacking:
        return "wrong", (
            f"{lacking} of {state.passages} passages have no vectors of {name} and are found by keywords or an earlier"
            " model; run: footnote kb reembed"
        )
    return "ok", ""


def _is_same_model(state: StoreState, model: EmbeddingModel) -> bool:
    if state.example is None:
        return True
    text, known = state.example
    (vector,) = model.embed([text], "passage")
    return bool(vector @ known >= SAME_MODEL_COSINE)
