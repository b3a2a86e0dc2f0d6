"""What a chunk keeps together, and what holds for every document."""

from itertools import pairwise

import hypothesis.strategies as st
import pytest
import regex
from hypothesis import HealthCheck, example, given, settings

from retrieval.library.chunk import chunk
from retrieval.library.pieces import cut
from retrieval.types import Block, BlockKind, Chunk, ParsedDocument
from tests.retrieval.library.documents import markdown_chunks


def chunks_of(*blocks: Block, size: int = 200, overlap: int = 20) -> list[Chunk]:
    return chunk(ParsedDocument("Title", blocks, "test"), key="k", size=size, overlap=overlap)


def test_a_list_that_fits_stays_whole_with_the_sentence_before_it() -> None:
    filler = "Some words about something else altogether. " * 3
    chunks = markdown_chunks(f"{filler}\n\nBring to the site:\n\n- a helmet\n- a torch\n- your badge\n", size=150)
    assert chunks[-1].text == "Bring to the site:\n- a helmet\n- a torch\n- your badge"


def test_a_chunk_keeps_to_one_page_so_that_a_citation_names_the_right_one() -> None:
    pages = [Block("paragraph", text, page=n) for n, text in enumerate(["Bulbs are blue.", "Rope is red.", "End."], 1)]
    heading = Block("heading", "Stores", level=1, page=1)
    assert [(part.page, part.text) for part in chunks_of(heading, *pages)] == [
        (1, "Bulbs are blue."),
        (2, "Rope is red."),
        (3, "End."),
    ]


def test_a_long_list_repeats_the_sentence_that_introduces_it() -> None:
    items = "\n".join(f"- tool number {n} with its case" for n in range(20))
    chunks = markdown_chunks(f"Bring to the site:\n\n{items}\n", size=150, overlap=20)
    assert len(chunks) > 1
    assert all(part.text.startswith("Bring to the site:\n- tool number") for part in chunks)


def test_printed_list_marks_make_a_list_too() -> None:
    items = "\n\n".join(f"({mark}){mark}号文件的复印件和原件；" for mark in "一二三四五六七八九十")
    chunks = markdown_chunks(f"申请人应当提交下列材料：\n\n{items}\n", size=80, overlap=10)
    assert len(chunks) > 1
    assert all(part.text.startswith("申请人应当提交下列材料：\n(") for part in chunks)


def test_a_nested_list_that_is_cut_repeats_the_item_above() -> None:
    inner = "\n".join(f"  - reading number {n} of the gauge" for n in range(20))
    chunks = markdown_chunks(f"- Harbour station\n{inner}\n- Lake station\n", size=150, overlap=0)
    inside = [part.text for part in chunks if "reading number" in part.text]
    assert len(inside) > 1
    assert all(text.startswith("- Harbour station\n") for text in inside)


def test_a_table_row_longer_than_a_chunk_becomes_named_lines() -> None:
    remedy = "Take it out of the water and send it in. " * 8
    chunks = markdown_chunks(f"| Code | Remedy |\n|---|---|\n| E-1 | ok |\n| E-2 | {remedy}|\n", size=150, overlap=0)
    assert chunks[0].text.startswith("| Code | Remedy |\n|---|---|\n| E-1 | ok |\n\nCode: E-2\nRemedy: Take it out")
    assert len(chunks) > 2
    assert all(part.text.startswith("Code: E-2\n") for part in chunks[1:])


def test_a_formula_that_fits_is_never_cut() -> None:
    formula = "$$\na = b.\nc = d. E = F\n$$"
    chunks = markdown_chunks("Text before it. " * 9 + f"\n\n{formula}\n\n" + "Text behind it. " * 9, size=160)
    assert sum(formula in part.text for part in chunks) == 1


def test_a_formula_that_fits_only_without_what_introduces_it_is_not_cut() -> None:
    formula = "$$\n" + "a + b. C + " * 13 + "d\n$$"
    chunks = chunks_of(Block("paragraph", "The level is what follows from this:"), Block("formula", formula), size=160)
    assert sum(formula in part.text for part in chunks) == 1
    assert "".join(part.text for part in chunks).startswith("The level is what follows from this:")


def test_a_table_row_that_fits_only_without_its_header_is_not_cut() -> None:
    header = "| A column with quite a long name | Another column with a name |"
    row = f"| {'word ' * 12} | {'more ' * 12} |"
    chunks = chunks_of(Block("table", f"{header}\n| --- | --- |\n{row}"), size=140, overlap=0)
    assert sum(row in part.text for part in chunks) == 1


def test_a_table_that_is_cut_repeats_its_caption() -> None:
    rows = "\n".join(f"| tool {n} | {n} EUR |" for n in range(20))
    table = Block("table", f"| Tool | Price |\n| --- | --- |\n{rows}", page=3)
    chunks = chunks_of(Block("caption", "Table 2: tools", page=2), table, size=150)
    assert len(chunks) > 2
    assert all(part.text.startswith("Table 2: tools\n\n| Tool | Price |") for part in chunks)
    assert [part.page for part in chunks] == [2, *[3] * (len(chunks) - 1)]


def test_the_caption_of_a_picture_stands_for_itself() -> None:
    chunks = chunks_of(Block("caption", "Figure 1: the well"), Block("list", "- a helmet\n- a torch"))
    assert [part.text for part in chunks] == ["Figure 1: the well\n\n- a helmet\n- a torch"]


def test_a_chunk_is_as_sure_as_the_least_sure_of_its_blocks() -> None:
    blocks = [
        Block("paragraph", "Read off a picture. " * 9, confidence=0.9),
        Block("paragraph", "- one", confidence=0.8),
        Block("paragraph", "- two", confidence=0.7),
        Block("paragraph", "Written as text. " * 11),
    ]
    chunks = chunks_of(*blocks, size=200, overlap=0)
    assert [part.confidence for part in chunks] == [0.7, None] or [part.confidence for part in chunks] == [
        0.7,
        0.8,
        None,
    ]


def test_code_in_a_long_list_item_is_fenced_in_every_chunk() -> None:
    code = "\n".join(f"   run step {n} of the job" for n in range(20))
    chunks = markdown_chunks(f"1. Start the job like this:\n\n   ```bash\n{code}\n   ```\n\n2. Wait.\n", size=150)
    assert len(chunks) > 2
    for part in chunks:
        assert part.text.count("```") % 2 == 0
        assert ("run step" in part.text) <= ("```bash" in part.text)


def test_a_chunk_says_on_which_page_it_begins() -> None:
    chunks = chunks_of(*(Block("paragraph", f"Page {n}. " + "x " * 60, page=n) for n in range(1, 5)), overlap=30)
    assert [part.page for part in chunks] == [1, 2, 3, 4]


def test_a_chunk_never_holds_text_of_two_sections() -> None:
    chunks = markdown_chunks("# A\n\none\n\n## B\n\ntwo\n\n# C\n\nthree\n")
    assert [(part.section, part.text) for part in chunks] == [
        (("A",), "one"),
        (("A", "B"), "two"),
        (("C",), "three"),
    ]


def test_a_heading_without_text_stands_before_the_text_that_follows() -> None:
    chunks = markdown_chunks("# A\n\n## Call 4711\n\n## C\n\nthree\n\n## Call 4712\n")
    assert [part.text for part in chunks] == ["Call 4711\n\nthree\n\nCall 4712"]


def test_a_document_of_headings_alone_is_not_lost() -> None:
    assert [part.text for part in markdown_chunks("# Agenda\n\n## Budget\n\n## Votes\n")] == [
        "Agenda\n\nBudget\n\nVotes"
    ]


def test_ids_stay_while_section_and_text_stay() -> None:
    before = markdown_chunks("# A\n\none\n\n# B\n\ntwo\n")
    after = markdown_chunks("# New\n\nzero\n\n# A\n\none\n\n# B\n\ntwo\n")
    assert {part.id for part in before} <= {part.id for part in after}


@pytest.mark.parametrize(
    ("unit", "length"),
    [
        ("word ", 1_000_000),
        *((unit, 200_000) for unit in ["a", "年", "👩‍👩‍👧", "🇵🇹", "e\u0301", "Satz. ", "句子。", '"', "x,"]),
    ],
)
def test_a_long_text_without_a_newline_is_cut_in_one_pass(unit: str, length: int) -> None:
    text = unit * (length // len(unit))
    chunks = chunks_of(Block("paragraph", text), size=500, overlap=0)
    assert max(len(part.text) for part in chunks) <= 500
    assert sum(len("".join(part.text.split())) for part in chunks) == len("".join(text.split()))


def test_many_small_blocks_are_cut_in_one_pass() -> None:
    blocks = [Block("heading" if n % 50 == 0 else "list", f"- item {n}", level=n % 6 + 1) for n in range(30_000)]
    assert max(len(part.text) for part in chunks_of(*blocks, size=500, overlap=50)) <= 500


LETTERS = st.sampled_from([*"aB3 .:-|\n`$~#>*(1)", "…", "年", "，", "。", "é", "e\u0301", "👩‍👧", "ไ", "م", "\u200d"])
TEXTS = st.lists(
    LETTERS | st.sampled_from(["word ", "- item\n", "1. one\n", "| a | b |\n", "```\n"]), max_size=120
).map("".join)
KINDS: st.SearchStrategy[BlockKind] = st.sampled_from(["heading", "paragraph", "list", "table", "code", "formula"])


@st.composite
def blocks(draw: st.DrawFn) -> Block:
    kind = draw(KINDS)
    text = draw(TEXTS)
    if kind == "heading":
        return Block(kind, " ".join(text.split())[:60], level=draw(st.integers(1, 6)))
    if kind == "code":
        text = f"```\n{text.replace('```', '')}\n```"
    return Block(kind, text, page=draw(st.none() | st.integers(1, 3)))


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(blocks(), max_size=12), st.integers(50, 200), st.integers(0, 25))
@example([Block("table", "aaaaaaaaaword word word word - item\n| a | b |\nword ")], 50, 0)
@example([Block("table", "aaaaaaaaaword word word word word - item\n| a | b |\n")], 50, 0)
def test_whatever_the_document(found: list[Block], size: int, overlap: int) -> None:
    """No chunk is too long or blank, no two have one id, and nothing that can be seen is lost."""
    chunks = chunk(ParsedDocument("t", tuple(found), "test"), key="k", size=size, overlap=overlap)
    assert all(0 < len(part.text) <= size and part.text.strip() for part in chunks)
    assert len({part.id for part in chunks}) == len(chunks)
    kept = "".join("".join(part.text.split()) + "".join("".join(part.section).split()) for part in chunks)
    for block in found:
        assert is_within(letters_of(block), kept)


def letters_of(block: Block) -> str:
    """What must not be lost: of a table its cells, of all else what is not space."""
    text = regex.sub(r"[\s\p{Cf}]", "", block.text)
    return regex.sub(r"[|:\-\\`]", "", text) if block.kind in ("table", "code", "list", "formula") else text


def is_within(letters: str, kept: str) -> bool:
    """Whether no letter occurs less often than it should."""
    return all(kept.count(letter) >= letters.count(letter) for letter in set(letters))


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.integers(5, 60))
def test_cutting_loses_nothing_and_splits_no_character(text: str, room: int) -> None:
    parts = list(cut(text, room))
    assert all(len(part) <= room for _, part in parts)
    assert "".join("".join(gap + part for gap, part in parts).split()) == "".join(text.split())
    for (_, before), (gap, after) in pairwise(parts):
        letters = regex.findall(r"\X", before) + regex.findall(r"\X", after)
        whole = regex.findall(r"\X", before + after)
        assert gap or letters == whole or max(map(len, whole)) > room
