"""What an examination finds: of each setting and each service whether it holds, and what to do where it does not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

CheckStatus = Literal["ok", "look", "wrong"]
"""`look`: worth a person's attention, but nothing is broken."""

Fact = str | int | float | bool | None | Sequence[str]
Facts = Mapping[str, Fact]


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was examined. `facts` holds no secret; `advice` says what is wrong and what to do."""

    subject: str
    status: CheckStatus = "ok"
    facts: Facts = field(default_factory=dict)
    advice: str = ""


@dataclass(frozen=True, slots=True)
class StoredVectors:
    """Vectors of current passages by one embedding model."""

    model: str
    width: int
    passages: int


@dataclass(frozen=True, slots=True)
class StoreState:
    """What stands in the store, read without changing it. Schema 0: it is not there yet.

    Another schema than the newest one is not looked into any further. `example` is a passage as it was embedded, with
    its vector of shape (width,), by the model that was asked for.
    """

    schema: int
    newest_schema: int
    documents: int = 0
    passages: int = 0
    vectors: tuple[StoredVectors, ...] = ()
    example: tuple[str, NDArray[np.float32]] | None = None
