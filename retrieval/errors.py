"""Every error of Footnote, one tree.

    FootnoteError                  its text is written for a person and safe to show
    ├── ConfigurationError         a setting is missing or wrong; names the variable; exit code 2
    ├── DocumentRefused            a file that cannot become passages; carries a reason code
    ├── DocumentNotFound           no document of that name in the knowledge base
    ├── ServiceUnavailable         a part that is needed does not answer; never told as "not found"
    │   └── RequestRefused         it answers, but not to this request: too long, not allowed, not understood
    ├── ModelOutputInvalid         a language model's answer has not the shape asked for
    └── IndexCorrupt               a search index does not agree with what it says of itself; it is rebuilt

Adapters turn the exceptions of their library into these, once. Anything else is a fault of ours: it is
logged with an incident id and the person gets one apology carrying that id.
"""

import secrets
from enum import StrEnum


class FootnoteError(Exception):
    """Base of all errors whose text may be shown to a person."""


class ConfigurationError(FootnoteError):
    """A setting is missing or wrong."""


class RefusalCause(StrEnum):
    """Why a file was refused."""

    EMPTY = "empty"
    NO_TEXT = "no_text"
    ENCRYPTED = "encrypted"
    CORRUPT = "corrupt"
    TYPE_MISMATCH = "type_mismatch"
    UNSUPPORTED = "unsupported"
    MACRO = "macro"
    ARCHIVE_LIMITS = "archive_limits"
    TOO_LARGE = "too_large"
    TOO_SLOW = "too_slow"
    HTML_LOGIN = "html_login"
    BINARY = "binary"
    UNREADABLE = "unreadable"
    EMBEDDING_FAILED = "embedding_failed"
    NO_SUCH_DOCUMENT = "no_such_document"
    NOT_ADMIN = "not_admin"
    DOWNLOAD_FAILED = "download_failed"
    CANCELLED = "cancelled"


class DocumentRefused(FootnoteError):
    """A file that cannot become passages, with the reason as a code and as a sentence."""

    def __init__(self, cause: RefusalCause, message: str) -> None:
        super().__init__(message)
        self.cause = cause


class DocumentNotFound(FootnoteError):
    """No document of that name in the knowledge base."""


class ServiceUnavailable(FootnoteError):
    """A needed part (model server, index, store) does not answer."""


class RequestRefused(ServiceUnavailable):
    """A service refuses this very request; another may pass, the same one would be refused again."""


class ModelOutputInvalid(FootnoteError):
    """A language model's answer cannot be read as what it was asked for."""


class IndexCorrupt(FootnoteError):
    """A search index file cannot be trusted."""


def new_incident() -> str:
    """A number by which a person can name a failure and an engineer find it in the log."""
    return secrets.token_hex(4)
