"""Within the child process: titles that an author made bold instead of marking them as such."""

from typing import Any

from retrieval.adapters.mineru_parser.engine import Page

_LONGEST_TITLE = 80
_NO_TITLE_ENDS = tuple(".。:：;；,，、")


def with_bold_titles(pages: list[Page]) -> list[Page]:
    """The pages with short paragraphs that are bold throughout as titles, if the document marks none otherwise."""
    if any(raw.get("type") == "paragraph_title" for page in pages for raw in page.get("blocks") or []):
        return pages
    return [{**page, "blocks": _titled(page.get("blocks") or [])} for page in pages]


def _titled(blocks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Of two such paragraphs in a row neither is a title."""
    bold = [_is_bold(raw) for raw in blocks]
    alone = [
        now and not before and not after
        for before, now, after in zip([False, *bold], bold, [*bold[1:], True], strict=False)
    ]
    titles = ({**raw, "type": "paragraph_title", "level": 1} for raw in blocks)
    return [title if is_title else raw for raw, title, is_title in zip(blocks, titles, alone, strict=True)]


def _is_bold(raw: dict[str, Any]) -> bool:
    spans = raw.get("content")
    if raw.get("type") != "text" or not isinstance(spans, list):
        return False
    text = "".join(str(span.get("content", "")) for span in spans).strip()
    short = 0 < len(text) <= _LONGEST_TITLE and not text.endswith(_NO_TITLE_ENDS)
    return short and all("bold" in (span.get("styles") or []) for span in spans if str(span.get("content", "")).strip())
