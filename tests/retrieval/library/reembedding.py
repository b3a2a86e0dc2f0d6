"""A process that embeds the documents of a database anew, one batch for each line that it is sent: DATABASE."""

import sys
from collections.abc import Sequence
from typing import Literal

from retrieval.adapters.sql import open_store
from retrieval.library.reembed import Reembedding
from retrieval.types import Vectors
from tests.retrieval.library.word_vectors import WordVectors


class InSteps(WordVectors):
    """Tells when it is asked for a batch, and waits for leave."""

    def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> Vectors:
        print(len(texts), flush=True)  # noqa: T201 - the test waits for it
        sys.stdin.readline()
        return super().embed(texts, kind)


if __name__ == "__main__":
    Reembedding(open_store(sys.argv[1]), InSteps()).run()
