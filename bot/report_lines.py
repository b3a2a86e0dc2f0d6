"""What is being done with files, and what became of them, to lines of mrkdwn."""

import re
from collections.abc import Iterator, Sequence

from bot import limits
from bot.links import unlinked
from bot.mrkdwn import escaped, one_line
from retrieval.errors import RefusalCause
from retrieval.types import IngestReport, SectionChanges

_LINE_CHARS = 350
_DETAIL_CHARS, _DETAILS_MOST = 150, 3
"""So that ten files fit into one message."""
_STEPS = (
    (re.compile(r"(?<=: )page (?=\d+ of \d+$)"), "reading page "),
    (re.compile(r"(?<=: )(?=\d+ of \d+ passages$)"), "embedding, "),
)
_OUTSIDE = "the text before the first heading"
_ICONS = {"new": ":white_check_mark:", "new_version": ":white_check_mark:", "unchanged": ":heavy_minus_sign:"}
_WORDS = {"new": "added", "new_version": "replaced by a new version", "unchanged": "unchanged, already known"}


def waiting_line(name: str) -> str:
    """A file whose turn has not come."""
    return f":hourglass_flowing_sand: {one_line(name, limits.NAME_CHARS)}: waiting"


def progress_line(text: str) -> str:
    """What is being done with a file, in the library's few words and some more."""
    for step, words in _STEPS:
        text = step.sub(words, text)
    return f":arrows_counterclockwise: {_harmless(text)}"


def result_lines(report: IngestReport) -> str:
    """What became of a file: a line, and one more for each thing to know about it."""
    name = one_line(report.document, limits.NAME_CHARS)
    if is_cancelled(report):
        return f":no_entry_sign: {name}: left out, cancelled"
    if report.status == "failed":
        why = _harmless(report.message or report.reason or "could not be taken in")
        return f":x: {why if name in why else f'{name}: {why}'}"
    counts = [
        *([counted(report.pages, report.page_unit)] if report.pages else []),
        *([counted(report.sections, "section")] if report.sections else []),
        counted(report.chunks, "passage"),
    ]
    head = f"{_ICONS[report.status]} {name}: {_WORDS[report.status]} ({', '.join(counts)})"
    more = len(report.warnings) - _DETAILS_MOST
    details = [_harmless(warning, _DETAIL_CHARS) for warning in report.warnings[:_DETAILS_MOST]]
    if report.changes:
        details = [_harmless(changed, _DETAIL_CHARS) for changed in _changes(report.changes)] + details
    details += [f"… and {more} more."] if more > 0 else []
    return "\n".join([head, *(f"      • {detail}" for detail in details)])


def _changes(changes: SectionChanges) -> Iterator[str]:
    """A line for each way in which sections differ from the version before."""
    for what, sections in (("new", changes.added), ("gone", changes.removed), ("changed", changes.changed)):
        if sections:
            names = ", ".join(section or _OUTSIDE for section in sections)
            yield f"{counted(len(sections), 'section')} {what}: {names}"


def head_at_end(results: Sequence[IngestReport]) -> str:
    """The line over the results, in numbers."""
    left_out = sum(map(is_cancelled, results))
    refused = sum(report.status == "failed" for report in results) - left_out
    said = [
        f"{counted(len(results) - refused - left_out, 'file')} taken in",
        *([f"{refused} refused"] if refused else []),
        *([f"{left_out} left out"] if left_out else []),
    ]
    return f"{'Cancelled' if left_out else 'Done'}: {', '.join(said)}."


def is_cancelled(report: IngestReport) -> bool:
    """Whether the file was left out because somebody wanted it so."""
    return report.reason == RefusalCause.CANCELLED


def counted(number: int, thing: str) -> str:
    """`1 file`, `2 files`."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _harmless(text: str, limit: int = _LINE_CHARS) -> str:
    """Text that may hold names and words of a file, on one line of mrkdwn without links and pings."""
    line = " ".join(text.split())
    short = line if len(line) <= limit else f"{line[: limit - 1]}…"
    return escaped(unlinked(short))
