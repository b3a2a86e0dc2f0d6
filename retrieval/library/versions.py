"""Two versions of a document to what the new one changes, section by section."""

from collections.abc import Iterable

from retrieval.types import Chunk, Passage, SectionChanges

_NAMED_MOST = 3
_PATH_CHARS = 80


def section_changes(
    before: Iterable[Passage], old_title: str, after: Iterable[Chunk], new_title: str
) -> SectionChanges:
    """By the sections' paths below the title, which may change with every edition."""
    old, new = _texts(before, old_title), _texts(after, new_title)
    return SectionChanges(
        added=tuple(path for path in new if path not in old),
        removed=tuple(path for path in old if path not in new),
        changed=tuple(path for path, texts in new.items() if path in old and old[path] != texts),
    )


def _texts(parts: Iterable[Chunk | Passage], title: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for part in parts:
        path = part.section[1:] if part.section[:1] == (title,) else part.section
        found.setdefault(" > ".join(path), []).append(part.text)
    return found


def summary(changes: SectionChanges) -> str:
    """In a sentence: "Changed: Leave. Added: Travel > Hotels, Lockers and 4 more sections."."""
    told = (("Changed", changes.changed), ("Added", changes.added), ("Removed", changes.removed))
    return " ".join(f"{what}: {_named(paths)}." for what, paths in told if paths) or "Its text is the same."


def _named(paths: tuple[str, ...]) -> str:
    names = [_short(path or "text outside sections") for path in paths[:_NAMED_MOST]]
    more = len(paths) - len(names)
    if more:
        return f"{', '.join(names)} and {more} more section{'s' if more > 1 else ''}"
    return ", ".join(names)


def _short(path: str) -> str:
    return path if len(path) <= _PATH_CHARS else f"…{path[1 - _PATH_CHARS :]}"
