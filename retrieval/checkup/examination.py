"""Examinations of services side by side, each within its time."""

import logging
import re
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Concatenate, ParamSpec

from retrieval.budget import question_budget
from retrieval.errors import FootnoteError
from retrieval.types import Check

log = logging.getLogger(__name__)

Arguments = ParamSpec("Arguments")
Examination = Callable[[], Iterable[Check]]
"""Gives its checks one by one, so that those before a hang are known."""

_SERVICE = re.compile(r"(CHAT|EXTRACTOR|EMBEDDING|RERANKER): ")
"""How errors of model servers begin; here the subject says it."""

_EACH_S = 9.0
_GRACE_S = 1.0


def told(
    subject: str,
    examine: Callable[Concatenate[str, Arguments], Check],
    *args: Arguments.args,
    **kwargs: Arguments.kwargs,
) -> Check:
    """The check of that subject, or what went wrong instead: then it has no facts."""
    try:
        return examine(subject, *args, **kwargs)
    except FootnoteError as error:
        return Check(subject, "wrong", advice=_SERVICE.sub("", str(error)))


def side_by_side(examinations: Mapping[str, Examination], each_s: float = _EACH_S) -> list[Check]:
    """The checks of all, in their order, after `each_s` seconds and a little more, whatever a server does."""
    found: dict[str, list[Check]] = {subject: [] for subject in examinations}
    threads = {
        subject: threading.Thread(target=_run, args=(subject, examine, found[subject], each_s), daemon=True)
        for subject, examine in examinations.items()
    }
    deadline = time.monotonic() + each_s + _GRACE_S
    for thread in threads.values():
        thread.start()
    for subject, thread in threads.items():
        thread.join(max(0.0, deadline - time.monotonic()))
        if thread.is_alive():
            found[subject] = [*found[subject], _too_slow(subject, each_s)]
    return [check for checks in found.values() for check in checks]


def _run(subject: str, examine: Examination, found: list[Check], each_s: float) -> None:
    try:
        with question_budget(each_s):
            for check in examine():
                found.append(check)
    except FootnoteError as error:
        found.append(Check(subject, "wrong", advice=_SERVICE.sub("", str(error))))
    except Exception as error:
        log.exception("the examination failed: %s", subject)
        found.append(Check(subject, "wrong", advice=f"could not be examined, by a fault of Footnote ({error!r})"))


def _too_slow(subject: str, each_s: float) -> Check:
    advice = (
        f"was not done within {each_s:g} s; run this again if it was loading its model, else see its log and"
        " start it anew"
    )
    return Check(subject, "wrong", advice=advice)
