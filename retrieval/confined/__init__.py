"""Files to parsed documents by programs of ours in child processes: limited, without secrets, stoppable at any time.

A program is a module run as `python -m MODULE IN OUT.json`. It calls `confine`, reads IN, and writes with `answer` what
`document_fields` or `refused_fields` says of it. On the way it may tell how far it is with `tell_page`. A warm program
runs as `python -m MODULE` and calls `serve`.
"""

from retrieval.confined.child import PARTS, answer, confine, document_fields, refused_fields, serve, tell_page
from retrieval.confined.program import USUAL, Program, Seconds

__all__ = [
    "PARTS",
    "USUAL",
    "Program",
    "Seconds",
    "answer",
    "confine",
    "document_fields",
    "refused_fields",
    "serve",
    "tell_page",
]
