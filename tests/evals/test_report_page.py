"""The page of a report, in a real browser: it draws, loads nothing from elsewhere, and shows text as text."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, sync_playwright

from evals.measures.refusals import ScoreSets
from evals.page import page_of, shown
from evals.report import Failure, Relevances, Report, Setting, joined
from evals.run import kept
from tests.workspace.browsing import CHROMIUM, PATIENCE_MS, needs_chromium

HOSTILE = '<img src="https://evil.example/x.png" onerror="document.title=1"><script>document.title = 1</script>'


def full_report() -> Report:
    """A report of everything that a page can show."""
    report = Report("all", notes=[f"a note {HOSTILE}"], misses=[f"a miss {HOSTILE}"])
    report.add("Recall@5", 0.987, 0.95)
    report.add(f"false refusals {HOSTILE}", 0.2, 0.1, "lower")
    report.add("latency p50 ms", 1234.5)
    report.failures = [
        Failure(f"a question {HOSTILE}", "floor", f"a reply {HOSTILE}", "Calibrate."),
        Failure("谁？", "floor", "不知道。", "Calibrate."),
        Failure("another", "recall", "no", "Search better."),
    ]
    report.relevances = [Relevances(f"own {HOSTILE}", ScoreSets((0.9, 0.8, 0.6), (0.7, 0.3, 0.2)), 0.5)]
    report.settings = [
        Setting("rewriting", "rules", True, {"answered rightly": 0.9, "unanswerable refused": 1.0}),
        Setting("rewriting", "q2e", False, needs="needs CHAT_BASE_URL"),
        Setting("recall", "dense", False, {"answered rightly": 0.5, "unanswerable refused": 0.25}),
    ]
    return report


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """The page of the full report, as a browser opens the file; complaints and requests fail the tests."""
    out = tmp_path_factory.mktemp("out")
    kept(full_report(), out)
    noticed: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        opened = browser.new_page(viewport={"width": 1200, "height": 900})
        opened.set_default_timeout(PATIENCE_MS)
        opened.on("console", lambda message: noticed.append(message.text))
        opened.on("pageerror", lambda error: noticed.append(str(error)))
        opened.on("request", lambda request: noticed.append(request.url))
        opened.goto((out / "report.html").as_uri())
        yield opened
        browser.close()
    assert [what for what in noticed if not what.startswith(("file:", "data:"))] == []


@pytest.mark.browser
@needs_chromium
def test_the_plots_are_drawn_with_their_labels(page: Page) -> None:
    assert page.locator("figure svg").count() == 3
    for text in ("floor 0.50", "with an answer (3)", "without (3)", "floor 0.50: 67% at 0%", "needs CHAT_BASE_URL"):
        assert page.locator("figure svg text", has_text=text).first.is_visible()
    assert page.locator("figure svg text", has_text="● rules").count() == 1


@pytest.mark.browser
@needs_chromium
def test_nothing_is_wider_than_the_window(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth") == 1200


@pytest.mark.browser
@needs_chromium
def test_what_people_wrote_is_shown_and_not_obeyed(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")

    assert page.title() == "Footnote: all"
    assert page.locator("img, script").count() == 0
    for where in ("a note", "a miss", "a question", "a reply", "false refusals", "own"):
        assert page.get_by_text(f"{where} {HOSTILE}").is_visible()


@pytest.mark.browser
@needs_chromium
def test_bars_that_are_missed_and_stages_are_told(page: Page) -> None:
    assert page.locator("td.holds").all_inner_texts() == ["≥ 0.95 holds"]
    assert page.locator("td.missed").all_inner_texts() == ["≤ 0.1 missed"]
    assert page.locator("tr", has=page.locator("td.stage", has_text="floor")).first.inner_text().split() == [
        *("floor", "2", "Calibrate."),
    ]


def test_a_report_of_figures_alone_has_a_page_too() -> None:
    report = Report("soak")
    report.add("messages", 600)

    html = page_of(report)

    assert "<svg" not in html
    assert ">600<" in html


def test_the_same_report_gives_the_same_page() -> None:
    assert page_of(full_report()) == page_of(full_report())


def test_programs_get_all_that_the_page_shows(tmp_path: Path) -> None:
    kept(full_report(), tmp_path / "a" / "b")

    found = json.loads((tmp_path / "a" / "b" / "all.json").read_text("utf-8"))
    assert found["holds"] is False
    assert [failure["stage"] for failure in found["failures"]] == ["floor", "floor", "recall"]
    assert found["ablation"][1] == {
        "part": "rewriting",
        "setting": "q2e",
        "in_force": False,
        "needs": "needs CHAT_BASE_URL",
    }
    [relevances] = found["relevances"]
    assert relevances["auc"] == round(8 / 9, 4)
    assert {"floor": 0.5, "false_refusals": 0.0, "refused": 0.6667} in relevances["curve"]


def test_reports_are_joined_in_their_order() -> None:
    first, second = Report("a", misses=["one"]), Report("b", misses=["two"])
    first.add("x", 1)
    second.add("y", 0, 1)

    whole = joined("all", [first, second])

    assert [figure.name for figure in whole.figures] == ["x", "y"]
    assert whole.misses == ["one", "two"]
    assert not whole.holds


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.98765, "0.988"), (1.0, "1.000"), (2, "2"), (1234.5, "1,234"), (91.965, "92"), (0.0, "0.000")],
)
def test_figures_are_shown_as_people_read_them(value: float, text: str) -> None:
    assert shown(value) == text
