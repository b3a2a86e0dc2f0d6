"""Inputs that broke other chunkers, each with the right outcome."""

import re

import pytest
import regex

from retrieval.errors import ConfigurationError
from retrieval.library.chunk import chunk
from retrieval.settings import RetrievalSettings, load
from retrieval.types import Block, Chunk, ParsedDocument
from tests.retrieval.library.documents import CASES, case, chunks_of, markdown_chunks, plain_chunks


def longest(chunks: list[Chunk]) -> int:
    return max(len(part.text) for part in chunks)


def missing(pattern: str, name: str, chunks: list[Chunk]) -> list[str]:
    source = (CASES / name).read_text("utf-8")
    return [match[0] for match in re.finditer(pattern, source) if not any(match[0] in part.text for part in chunks)]


def holding(text: str, chunks: list[Chunk]) -> Chunk:
    return next(part for part in chunks if text in part.text)


def shared(first: str, second: str) -> int:
    """Characters that the end of one text and the start of the next have in common."""
    return max(n for n in range(min(len(first), len(second)) + 1) if first.endswith(second[:n]))


def test_text_without_a_newline_is_cut() -> None:
    chunks = chunks_of("A01_no_newline.txt")
    assert longest(chunks) <= 500
    assert len(chunks) >= 5
    assert missing(r"bay \d{4}", "A01_no_newline.txt", chunks) == []


def test_a_single_token_longer_than_a_chunk_is_cut_and_loses_nothing() -> None:
    chunks = chunks_of("A03_single_token.txt")
    assert longest(chunks) <= 500
    assert len(chunks) == 3
    assert "".join(part.text for part in chunks) == (CASES / "A03_single_token.txt").read_text("utf-8").strip()


def test_a_paragraph_that_fills_a_chunk_still_overlaps_with_the_next() -> None:
    first, second, *_ = chunks_of("A04_exact_fill.md")
    assert 20 <= shared(first.text, second.text) <= 60


def test_the_last_window_ends_the_document() -> None:
    text = "".join(f"{n:05d}" for n in range(190))
    chunks = plain_chunks(text)
    assert len(chunks) == 2
    assert chunks[1].text not in chunks[0].text


@pytest.mark.parametrize(("size", "overlap"), [(500, 500), (500, 600), (0, 0), (500, -1)])
def test_sizes_that_cannot_work_are_refused(size: int, overlap: int) -> None:
    document = ParsedDocument("a", (Block("paragraph", "a" * 5000),), "text")
    with pytest.raises(ValueError, match="overlap"):
        chunk(document, key="a", size=size, overlap=overlap)


def test_a_comment_in_code_is_no_heading() -> None:
    text = (
        "# Install guide\n\nFollow the steps below.\n\n```bash\n# refresh the package list\nsudo apt update\n"
        "# install\nsudo apt install tool\n```\n\n## Verify\n\nRun the self test.\n"
    )
    chunks = markdown_chunks(text)
    assert {part.section for part in chunks} == {("Install guide",), ("Install guide", "Verify")}
    assert holding("apt install", chunks).section == ("Install guide",)


def test_long_code_is_fenced_in_every_chunk() -> None:
    chunks = chunks_of("A10_long_fence.md")
    assert longest(chunks) <= 500
    for part in chunks:
        fences = [line for line in part.text.split("\n") if line.startswith("```")]
        assert len(fences) % 2 == 0
        assert ("step_" in part.text) <= bool(fences)
    assert missing(r"step_\d{2} = run\('task-\d{2}', retries=\d\)", "A10_long_fence.md", chunks) == []


def test_a_long_table_has_its_header_in_every_chunk() -> None:
    chunks = chunks_of("A11_long_table.md")
    assert longest(chunks) <= 500
    for part in chunks:
        assert not re.search(r"\| P-\d{3} \|", part.text) or "| Code | Default | Meaning | Level |" in part.text
    rows = r"\| P-\d{3} \| \d+ ms \| timeout of stage \d{3} \| \d \|"
    assert missing(rows, "A11_long_table.md", chunks) == []


def test_deep_headings_reach_the_section() -> None:
    part = holding("Requirement 24 ", chunks_of("A14_deep_headings.md"))
    assert part.section == ("Standard 77", "5 Classes", "5.9 Class nine", "5.9.2 Clause list")


def test_headings_that_follow_each_other_are_all_in_the_section() -> None:
    chunks = markdown_chunks("# Travel\n## Europe\n### Trains\nBook second class.\n")
    assert [(part.section, part.text) for part in chunks] == [(("Travel", "Europe", "Trains"), "Book second class.")]


def test_windows_line_ends_hide_neither_headings_nor_front_matter() -> None:
    document = case("A17_crlf.md")
    chunks = chunks_of("A17_crlf.md")
    assert document.title == "Leave policy"
    assert [part.section for part in chunks] == [("Leave",), ("Leave", "Carry over")]
    assert not any("\r" in part.text or "version: 3" in part.text for part in chunks)


def test_a_byte_order_mark_does_not_hide_the_first_heading() -> None:
    (part,) = chunks_of("A18_bom.md")
    assert part.section == ("Security",)
    assert "\ufeff" not in part.text


def test_blank_pages_make_no_blank_chunks() -> None:
    texts = [part.text for part in chunks_of("A21_blank_pages.md")]
    assert texts == ["Real text.", "More text."]


def test_the_same_paragraph_in_several_sections_has_an_id_in_each() -> None:
    rule = "Report every incident to the duty officer within one hour."
    chunks = markdown_chunks("\n\n".join(f"## S{n}\n\n{rule}" for n in (1, 2, 3)), size=70, overlap=0)
    assert [part.text for part in chunks] == [rule] * 3
    assert len({part.id for part in chunks}) == 3


def test_the_same_paragraph_twice_in_a_section_has_two_ids() -> None:
    rule = "Report every incident to the duty officer within one hour."
    chunks = markdown_chunks(f"## S\n\n{rule}\n\n{rule}\n", size=70, overlap=0)
    assert len({part.id for part in chunks}) == 2


def test_numbers_addresses_and_links_stay_whole() -> None:
    chunks = chunks_of("A24_dots.txt")
    assert longest(chunks) <= 500
    for token in ("0.5%", "v1.2.3", "help@example.com", "https://example.com/a.b/c?x=1.2"):
        assert any(token in part.text for part in chunks)


@pytest.mark.parametrize("name", ["A26_combining.txt", "A26_joined_emoji.txt"])
def test_no_cut_falls_inside_what_a_reader_sees_as_one_character(name: str) -> None:
    source = regex.findall(r"\X", (CASES / name).read_text("utf-8").strip())
    chunks = chunks_of(name)
    assert longest(chunks) <= 500
    assert len(chunks) > 1
    assert [letter for part in chunks for letter in regex.findall(r"\X", part.text)] == source


def test_a_short_tail_is_kept() -> None:
    assert "Ring 4711 at night." in chunks_of("A27_short_tail.txt")[-1].text


def test_documents_of_the_same_name_have_different_ids() -> None:
    first = markdown_chunks("# A\n\nHR text.", key="D1")
    second = markdown_chunks("# A\n\nHR text.", key="D2")
    assert first[0].text == second[0].text == "HR text."
    assert first[0].id != second[0].id


@pytest.mark.parametrize(
    ("chunk_size", "chunk_overlap", "named"),
    [(500, 500, "CHUNK_OVERLAP"), (500, 600, "CHUNK_OVERLAP"), (0, 0, "CHUNK_SIZE"), (500, -1, "CHUNK_OVERLAP")],
)
def test_sizes_with_which_cutting_would_not_get_on_are_refused_with_the_settings(
    chunk_size: int, chunk_overlap: int, named: str
) -> None:
    with pytest.raises(ConfigurationError, match=named):
        load(RetrievalSettings, {"chunk_size": chunk_size, "chunk_overlap": chunk_overlap})
