"""What MinerU says of pages to blocks, headings and tables."""

from typing import Any

import pytest

from retrieval.adapters.mineru_parser.blocks import blocks_of, without_repeated_lines
from retrieval.adapters.mineru_parser.bold_titles import with_bold_titles
from retrieval.adapters.mineru_parser.engine import Page
from retrieval.adapters.mineru_parser.headings import OutlineEntry, repaired
from retrieval.adapters.mineru_parser.tables import table_of
from retrieval.types import Block


def text(words: str, kind: str = "text", **more: Any) -> dict[str, Any]:
    return {"type": kind, "content": [{"type": "text", "content": words}], **more}


def pages(*found: list[dict[str, Any]]) -> list[Page]:
    return [{"page_idx": number, "blocks": blocks} for number, blocks in enumerate(found)]


def levels(*titles: str, outline: tuple[OutlineEntry, ...] = ()) -> list[tuple[int, str]]:
    blocks = [Block("heading", title, level=2, page=1) for title in titles]
    return [(block.level, block.text) for block in repaired(blocks, list(outline)) if block.kind == "heading"]


def test_levels_come_from_numbers() -> None:
    titles = ["1 Set-up", "1.1 Tools", "1.1.1 Keys", "1.2 Place", "2. Use"]
    assert [level for level, _ in levels(*titles)] == [1, 2, 3, 2, 1]


def test_a_number_that_counts_no_chapter_gives_no_level() -> None:
    assert levels("1 Set-up", "12 months or more", "2 Use") == [(1, "1 Set-up"), (2, "12 months or more"), (1, "2 Use")]


def test_levels_come_from_chinese_numbers() -> None:
    titles = ["第一章 总则", "第一节 机动车", "第四条 登记", "第二章 车辆", "一、范围", "（二）方法"]
    assert [level for level, _ in levels(*titles)] == [1, 2, 3, 1, 2, 3]


def test_the_outline_wins_over_numbers() -> None:
    outline = (OutlineEntry("Set-up", 1, 1), OutlineEntry("The tools", 2, 2), OutlineEntry("Use", 1, 9))
    assert levels("3.1 Set-up", "The Tools", "1 Use", outline=outline) == [
        (1, "3.1 Set-up"),
        (2, "The Tools"),
        (1, "1 Use"),
    ]


def test_levels_do_not_jump() -> None:
    assert [level for level, _ in levels("1.1.1 Deep", "1.1.2 Deep", "9.9.9.9 Deeper")] == [1, 2, 3]


def test_what_stands_in_brackets_or_comes_again_and_again_is_no_heading() -> None:
    columns = ["July 30, 2023", "(In millions)"] * 3
    assert levels("Leases", *columns, "1 Debt") == [(1, "Leases"), (1, "1 Debt")]


def test_a_number_alone_belongs_to_the_next_heading() -> None:
    assert levels("1", "Introduction", "||", "2.1") == [(1, "1 Introduction")]
    blocks = repaired([Block("heading", "2026", level=2, page=1), Block("paragraph", "x", page=1)], [])
    assert [(block.kind, block.text) for block in blocks] == [("paragraph", "2026"), ("paragraph", "x")]


def test_a_paragraph_that_goes_on_is_one_block_on_its_first_page() -> None:
    blocks, _ = blocks_of(pages([text("The gauge hangs")], [text("in the well.", continues_prev=True)]))
    assert blocks == [Block("paragraph", "The gauge hangs in the well.", page=1)]


def test_a_sentence_that_a_page_breaks_off_is_one_block() -> None:
    blocks, _ = blocks_of(pages([text("The gain was $7 million for")], [text("cost of revenue.")], [text("the end")]))
    assert [(block.page, block.text) for block in blocks] == [
        (1, "The gain was $7 million for cost of revenue."),
        (3, "the end"),
    ]


def test_chinese_goes_on_without_a_space() -> None:
    blocks, _ = blocks_of(pages([text("水位计")], [text("挂在井里。", continues_prev=True)]))
    assert blocks[0].text == "水位计挂在井里。"


def test_furniture_contents_and_pictures_are_left_out_but_captions_stay() -> None:
    contents = {"type": "index", "content": [text("1 Set-up .... 3"), text("2 Use .... 5")]}
    picture = {
        "type": "image",
        "content": [{"type": "image_body", "content": ""}, text("Figure 1: the well", "image_caption")],
    }
    blocks, title = blocks_of(
        pages([text("Manual", "doc_title", level=1), text("p. 1", "page_number"), contents, picture])
    )
    assert title == "Manual"
    assert [block.text for block in blocks] == ["Manual", "Figure 1: the well"]


def test_spans_keep_formulas_code_and_raised_figures_apart() -> None:
    spans = [
        {"type": "text", "content": "Area 12 m"},
        {"type": "text", "content": "2", "styles": ["superscript"]},
        {"type": "text", "content": ", see "},
        {"type": "equation_inline", "content": "a=b"},
        {"type": "hyperlink", "url": "https://x.example", "content": [{"type": "text", "content": " GATEWAY_TOKEN"}]},
    ]
    blocks, _ = blocks_of(pages([{"type": "text", "content": spans}]))
    assert blocks[0].text == "Area 12 m^2, see $a=b$ GATEWAY_TOKEN"


def test_lists_code_and_formulas_are_typed() -> None:
    found: list[dict[str, Any]] = [
        {"type": "list", "content": [text("one"), {"type": "list", "content": [text("• two")]}]},
        {"type": "code", "content": [{"type": "code_body", "content": "x = 1\n"}]},
        {"type": "equation", "content": "e = mc^2"},
    ]
    blocks, _ = blocks_of(pages(found))
    assert [(block.kind, block.text) for block in blocks] == [
        ("list", "- one\n  • two"),
        ("code", "```\nx = 1\n```"),
        ("formula", "$$\ne = mc^2\n$$"),
    ]


def table(*rows: str, **more: Any) -> dict[str, Any]:
    cells = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row.split()) + "</tr>" for row in rows)
    body = {"type": "table_body", "content": f"<table>{cells}</table>"}
    return {"type": "table", "content": [body, text("Table 1: limits", "table_caption")], **more}


def test_a_table_has_its_caption_before_it() -> None:
    blocks, _ = blocks_of(pages([table("A B", "1 2")]))
    assert [block.text for block in blocks] == ["Table 1: limits", "| A | B |\n| --- | --- |\n| 1 | 2 |"]


def test_a_table_that_goes_on_has_the_header_of_the_page_before() -> None:
    blocks, _ = blocks_of(pages([table("A B", "1 2")], [table("3 4", continues_prev=True)]))
    assert blocks[-1] == Block("table", "| A | B |\n| --- | --- |\n| 3 | 4 |", page=2)


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        (
            "<table><tr><th>A</th><th>B</th></tr><tr><td>1|2<td>x<br>y</table>",
            "| A | B |\n| --- | --- |\n| 1\\|2 | x y |",
        ),
        (
            '<table><tr><td rowspan=2>A</td><td colspan="2">B</td></tr><tr><td>C</td><td>D</td></tr></table>',
            "| A | B | B |\n| --- | --- | --- |\n| A | C | D |",
        ),
        ('<table><tr><td colspan="999999999">A</td></tr></table>', "|" + " A |" * 200 + "\n|" + " --- |" * 200),
        ("<table><tr><td></td></tr></table>", ""),
    ],
)
def test_html_tables_become_markdown_tables(html: str, markdown: str) -> None:
    assert table_of(html) == markdown


def test_lines_that_most_pages_carry_at_the_edge_are_left_out() -> None:
    edge, middle = (0.1, 0.02, 0.5, 0.04), (0.1, 0.4, 0.5, 0.5)
    found = pages(*([text(f"Sheet {n}", bbox=edge), text("Ring twice.", bbox=middle)] for n in range(5)))
    assert [[raw["content"][0]["content"] for raw in page["blocks"]] for page in without_repeated_lines(found)] == [
        ["Ring twice."]
    ] * 5


def test_in_a_few_pages_only_lines_close_to_the_edge_count_as_repeated() -> None:
    edge, top = (0.1, 0.02, 0.5, 0.04), (0.1, 0.08, 0.5, 0.1)
    found = pages(*([text("Harbour office", bbox=edge), text(f"Step {n}", bbox=top)] for n in range(2)))
    assert [[raw["content"][0]["content"] for raw in page["blocks"]] for page in without_repeated_lines(found)] == [
        ["Step 0"],
        ["Step 1"],
    ]
    assert without_repeated_lines(found[:1]) == found[:1]


@pytest.mark.parametrize("words", ["7", "Page 1 of 3", "- 12 -", "Seite 2 von 9", "第3页", "第 3 页 共 12 页", "3/12"])
def test_page_numbers_at_the_edge_are_left_out_and_stay_elsewhere(words: str) -> None:
    blocks, _ = blocks_of(pages([text(words, bbox=(0.4, 0.95, 0.6, 0.97)), text(words, bbox=(0.4, 0.5, 0.6, 0.52))]))
    assert [block.text for block in blocks] == [words]


@pytest.mark.parametrize("words", ["Page setup", "24 months", "Part 3", "100 EUR", "第三章"])
def test_short_lines_at_the_edge_that_count_no_pages_stay(words: str) -> None:
    blocks, _ = blocks_of(pages([text(words, bbox=(0.4, 0.95, 0.6, 0.97))]))
    assert [block.text for block in blocks] == [words]


def test_a_paragraph_that_mineru_takes_for_a_header_is_text() -> None:
    paragraph = "The gauge hangs in the well, and whoever reads it rings twice before opening the lid. " * 2
    blocks, _ = blocks_of(pages([text(paragraph, "header"), text("Harbour office", "header")]))
    assert [block.text for block in blocks] == [paragraph.strip()]


def test_footnotes_and_captions_are_typed_and_do_not_part_a_sentence() -> None:
    note = text("1 As of May.", "page_footnote")
    blocks, _ = blocks_of(pages([text("The gain was $7 million for"), note], [text("cost of revenue.")]))
    assert [(block.kind, block.text) for block in blocks] == [
        ("paragraph", "The gain was $7 million for cost of revenue."),
        ("footnote", "1 As of May."),
    ]


@pytest.mark.parametrize("name", ["figure.png", "Picture 3", "图片 1", "data:image/png;base64,AAAA"])
def test_what_a_program_calls_a_picture_is_no_caption(name: str) -> None:
    picture = {"type": "image", "content": [{"type": "image_body", "content": name}]}
    described = {"type": "image", "content": [{"type": "image_body", "content": "The well from above"}]}
    blocks, _ = blocks_of(pages([picture, described]))
    assert [(block.kind, block.text) for block in blocks] == [("caption", "The well from above")]


def test_paragraphs_that_the_outline_or_their_number_makes_titles_are_headings() -> None:
    blocks = [
        Block("paragraph", "第二章 年假", page=2),
        Block("paragraph", "Tools", page=3),
        Block("paragraph", "Use", page=9),
        Block("paragraph", "第二章规定，年假按照工龄计算。", page=9),
    ]
    found = repaired(blocks, [OutlineEntry("Tools", 2, 3), OutlineEntry("Use", 1, 4)])
    assert [(block.kind, block.level) for block in found] == [
        ("heading", 1),
        ("heading", 2),
        ("paragraph", 0),
        ("paragraph", 0),
    ]


def bold(words: str) -> dict[str, Any]:
    return {"type": "text", "content": [{"type": "text", "content": words, "styles": ["bold"]}]}


def test_bold_lines_are_titles_where_a_document_marks_none() -> None:
    blocks = [bold("Overview"), text("The gauge."), bold("Note:"), text("Ring twice."), bold("A"), bold("B"), bold("C")]
    titled = with_bold_titles(pages(blocks))
    assert [raw["type"] for raw in titled[0]["blocks"]] == ["paragraph_title", *["text"] * 6]
    marked = pages([text("Set-up", "paragraph_title", level=2), *blocks])
    assert with_bold_titles(marked) == marked


def test_formulas_and_paragraphs_in_cells_are_kept_apart() -> None:
    assert table_of("<table><tr><td><p>a</p><p>b</p></td><td><eq>x^2</eq></td></tr></table>") == (
        "| a b | $x^2$ |\n| --- | --- |"
    )
