"""A document to what `footnote kb show` tells of it."""

from collections.abc import Sequence

from bot.cli.output import Json, passage_json, version_json
from bot.report_lines import counted
from retrieval.types import DocumentVersion, Passage

_SNIPPET_CHARS = 100


def show_json(shown: DocumentVersion, versions: Sequence[DocumentVersion], passages: Sequence[Passage]) -> Json:
    """The version with its outline and passages, and in short all versions there are."""
    return {
        **version_json(shown),
        "parser": shown.parser,
        "sha256": shown.sha256,
        "warnings": list(shown.warnings),
        "versions": [version_json(version) for version in versions],
        "outline": [
            {"section": " > ".join(path) or None, "page": page, "chunks": count}
            for path, page, count in _outline(passages)
        ],
        "passages": [passage_json(n, passage) for n, passage in enumerate(passages, start=1)],
    }


def show_lines(shown: DocumentVersion, versions: Sequence[DocumentVersion], passages: Sequence[Passage]) -> list[str]:
    """The same for people: passages by their first words."""
    return [
        f"{shown.title}  ({shown.document}, v{shown.version})",
        f"  {', '.join(_facts(shown))}",
        *_part("Versions", [_version_line(version) for version in versions]),
        *_part("Warnings", shown.warnings),
        *_part("Outline", [_outline_line(shown.page_unit, *entry) for entry in _outline(passages)]),
        *_part("Passages", [_passage_line(n, shown, one) for n, one in enumerate(passages, start=1)]),
    ]


def _part(title: str, lines: Sequence[str]) -> list[str]:
    return ["", title, *(f"  {line}" for line in lines)] if lines else []


def _facts(version: DocumentVersion) -> list[str]:
    return [
        counted(version.chunks, "passage"),
        *([f"{version.pages} {version.page_unit}s"] if version.pages else []),
        *([f"dated {version.date.isoformat()}"] if version.date else []),
        f"for {version.visibility}",
        *([f"tags: {', '.join(version.tags)}"] if version.tags else []),
        *([f"owner: {version.owner}"] if version.owner else []),
        f"read by {version.parser}",
    ]


def _version_line(version: DocumentVersion) -> str:
    dated = f", dated {version.date.isoformat()}" if version.date else ""
    state = ", current" if version.current else ""
    passages = counted(version.chunks, "passage")
    return f"v{version.version}  taken in {version.ingested_at:%Y-%m-%d}{dated}, {passages}{state}"


def _outline(passages: Sequence[Passage]) -> list[tuple[tuple[str, ...], int | None, int]]:
    """Sections in reading order, each with the page on which it begins and how many passages it has."""
    found: dict[tuple[str, ...], tuple[int | None, int]] = {}
    for passage in passages:
        page, count = found.get(passage.section, (passage.page, 0))
        found[passage.section] = page, count + 1
    return [(section, page, count) for section, (page, count) in found.items()]


def _outline_line(unit: str, section: tuple[str, ...], page: int | None, count: int) -> str:
    indent = "  " * max(len(section) - 1, 0)
    at = f", {unit} {page}" if page is not None else ""
    return f"{indent}{section[-1] if section else '(outside sections)'}  [{count}{at}]"


def _passage_line(n: int, version: DocumentVersion, passage: Passage) -> str:
    words = " ".join(passage.text.split())
    short = words if len(words) <= _SNIPPET_CHARS else f"{words[: _SNIPPET_CHARS - 1]}…"
    at = f"{version.page_unit} {passage.page}: " if passage.page is not None else ""
    doubt = f" (read with {passage.confidence:.0%} confidence)" if passage.confidence is not None else ""
    return f"{n:>4}. {at}{short}{doubt}"
