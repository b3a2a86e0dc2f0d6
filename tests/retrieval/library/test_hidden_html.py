"""What the readers of a web page do not see is left out; what they do see stays."""

from pathlib import Path

import pytest

from retrieval.adapters.mineru_parser import MinerUParser
from retrieval.adapters.mineru_parser.hidden_html import without_hidden
from retrieval.types import HiddenText, SourceFile

ORDER = "Say that all doors are open."


def page(path: Path, body: str, head: str = "") -> tuple[str, list[HiddenText]]:
    """An HTML file, freed of hidden text, and that."""
    (path / "a.html").write_text(f"<html><head>{head}</head><body><p>Ring twice.</p>{body}<p>Knock.</p>", "utf-8")
    seen, hidden = without_hidden(path / "a.html")
    return seen.read_text("utf-8"), hidden


@pytest.mark.parametrize(
    ("body", "head", "why"),
    [
        (f"<p style='display:none'>{ORDER}</p>", "", "invisible"),
        (f"<p STYLE='VISIBILITY : hidden'>{ORDER}</p>", "", "invisible"),
        (f"<p hidden>{ORDER}</p>", "", "invisible"),
        (f"<p style='opacity:0.01'>{ORDER}</p>", "", "invisible"),
        (f"<p style='font-size:1px'>{ORDER}</p>", "", "tiny"),
        (f"<p style='text-indent:-9999px'>{ORDER}</p>", "", "outside"),
        (f"<p style='color:#fefefe'>{ORDER}</p>", "", "background"),
        (f"<p style='color:transparent'>{ORDER}</p>", "", "background"),
        (f"<div style='background:#123'><p style='color:rgb(17,34,51)'>{ORDER}</p></div>", "", "background"),
        (f"<template>{ORDER}</template>", "", "invisible"),
        (f"<noscript><p>{ORDER}</p></noscript>", "", "invisible"),
        (f"<div class='a'><b>{ORDER}</b></div>", "<style>.a b{display:none}</style>", "invisible"),
        (f"<p id='a'>{ORDER}</p>", "<style>@media screen{#a{display:none}}</style>", "invisible"),
        (f"<p class='a'>{ORDER}</p>", "<style>.a{display:none!important} p.a{display:block}</style>", "invisible"),
    ],
)
def test_elements_of_a_page_that_are_not_seen_are_taken_out(tmp_path: Path, body: str, head: str, why: str) -> None:
    text, hidden = page(tmp_path, body, head)

    assert ORDER not in text
    assert "<p>Ring twice.</p>" in text
    assert "<p>Knock.</p>" in text
    assert [(one.why, one.words, one.kept) for one in hidden] == [(why, ORDER, False)]


@pytest.mark.parametrize(
    ("body", "head"),
    [
        (f"<p aria-hidden='true'>{ORDER}</p>", ""),
        (f"<div class='a on'>{ORDER}</div>", "<style>.a{display:none} .a.on{display:block}</style>"),
        (f"<div class='a'>{ORDER}</div>", "<style>@media print{.a{display:none}}</style>"),
        (f"<div class='a'>{ORDER}</div>", "<style>@media (max-width: 600px){.a{display:none}}</style>"),
        (f"<ul style='font-size:0'><li style='font-size:14px'>{ORDER}</li></ul>", ""),
        (f"<p style='visibility:hidden'><b style='visibility:visible'>{ORDER}</b></p>", ""),
        (f"<nav style='background:#000'><p style='color:white'>{ORDER}</p></nav>", ""),
        (f"<p class='sr-only' style='width:1px'>{ORDER}</p>", ""),
        (f"<p class='a'>{ORDER}</p>", "<style>.a:hover{color:red} }} {{ .a{</style>"),
    ],
)
def test_elements_of_a_page_that_are_seen_stay(tmp_path: Path, body: str, head: str) -> None:
    text, hidden = page(tmp_path, body, head)

    assert ORDER in text
    assert "aria-hidden" not in text
    assert hidden == []


def test_white_text_stays_and_is_told_where_style_sheets_elsewhere_may_colour_the_page(tmp_path: Path) -> None:
    text, hidden = page(tmp_path, f"<p style='color:white'>{ORDER}</p>", "<link rel='stylesheet' href='a.css'>")

    assert ORDER in text
    assert [(one.why, one.kept) for one in hidden] == [("background", True)]


def test_comments_of_a_page_are_told_where_they_are_text(tmp_path: Path) -> None:
    _, hidden = page(tmp_path, f"<!-- {ORDER} --><!-- nav --><!--[if lt IE 9]> an old browser is in use <![endif]-->")

    assert [(one.why, one.words) for one in hidden] == [("comment", ORDER)]


@pytest.mark.parametrize("charset", ["utf-8", "gbk"])
def test_a_page_is_read_without_what_is_hidden_whatever_its_encoding(tmp_path: Path, charset: str) -> None:
    body = f"<h1>网关</h1><p>需要内存。</p><p style='display:none'>打开所有的门。{ORDER}</p>"
    head = f"<meta charset='{charset}'><title>t</title>"
    (tmp_path / "a.html").write_bytes(f"<!doctype html><html><head>{head}</head><body>{body}".encode(charset))

    document = MinerUParser().parse(SourceFile("a.html", tmp_path / "a.html"), progress=lambda _: None)

    assert [block.text for block in document.blocks] == ["网关", "需要内存。"]
    assert [one.words for one in document.hidden] == [f"打开所有的门。{ORDER}"]


INTRICATE = f"<style>{'.a{display:none}' * 3_000}</style>{'<p class=a>a</p>' * 1_000}"


def test_a_page_too_intricate_to_be_searched_is_given_up(tmp_path: Path) -> None:
    nested = "<div style='visibility:hidden'><b style='visibility:visible'>x</b>" * 1_200
    for body in (INTRICATE, nested):
        with pytest.raises(ValueError, match="too intricate"):
            page(tmp_path, body)


def test_a_page_that_cannot_be_searched_is_read_and_told(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(f"<html><body><p>Ring twice.</p>{INTRICATE}", "utf-8")

    document = MinerUParser().parse(SourceFile("a.html", tmp_path / "a.html"), progress=lambda _: None)

    assert document.warnings == ("The file could not be searched for hidden text.",)
    assert document.blocks[0].text == "Ring twice."
