"""What the admin reads of a file: how far it is, and what became of it."""

import pytest

from bot import limits
from bot.report_lines import head_at_end, progress_line, result_lines
from retrieval.types import IngestReport, SectionChanges


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ("a.pdf: page 3 of 12", "a.pdf: reading page 3 of 12"),
        ("a.pdf: 192 of 400 passages", "a.pdf: embedding, 192 of 400 passages"),
        ("page 3 of 12: fetching", "page 3 of 12: fetching"),
        ("<!channel>.md: reading", "&lt;!channel&gt;.md: reading"),
    ],
)
def test_progress_says_what_is_being_done(told: str, shown: str) -> None:
    assert progress_line(told) == f":arrows_counterclockwise: {shown}"


def test_a_new_version_is_told_with_what_it_changes_and_what_to_know_of_it() -> None:
    changes = SectionChanges(added=("Leave > Parents",), removed=("Fax", ""), changed=())
    report = IngestReport(
        "f", "a.md", "new_version", 12, 4, warnings=("Page 3 was read from a scan.",), changes=changes
    )

    assert result_lines(report).split("\n")[1:] == [
        "      • 1 section new: Leave &gt; Parents",
        "      • 2 sections gone: Fax, the text before the first heading",
        "      • Page 3 was read from a scan.",
    ]


def test_a_new_document_is_told_in_numbers() -> None:
    report = IngestReport("f", "a.pptx", "new", 5, 3, page_unit="slide", sections=2)

    assert result_lines(report) == ":white_check_mark: a.pptx: added (3 slides, 2 sections, 5 passages)"


def test_more_warnings_than_fit_are_counted() -> None:
    report = IngestReport("f", "a.md", "new", 1, warnings=tuple(f"Warning {n}." for n in range(8)))

    assert result_lines(report).endswith("• Warning 2.\n      • … and 5 more.")


def test_ten_files_with_all_there_is_to_know_fit_into_a_message() -> None:
    many = tuple("section " * 60 for _ in range(9))
    report = IngestReport("f", "n" * 300, "new_version", 1, 1, many, changes=SectionChanges(many, many, many))

    assert len(result_lines(report)) * limits.UPLOAD_FILES < limits.MESSAGE_BLOCKS_CHARS - 500


@pytest.mark.parametrize(
    ("statuses", "head"),
    [
        (["new", "unchanged"], "Done: 2 files taken in."),
        (["new", "failed"], "Done: 1 file taken in, 1 refused."),
        (["new", "failed", "cancelled"], "Cancelled: 1 file taken in, 1 refused, 1 left out."),
    ],
)
def test_the_end_is_told_in_numbers(statuses: list[str], head: str) -> None:
    made = {
        "cancelled": IngestReport("f", "a", "failed", reason="cancelled"),
        "failed": IngestReport("f", "a", "failed"),
    }
    unchanged = {"new": IngestReport("f", "a", "new"), "unchanged": IngestReport("f", "a", "unchanged")}

    assert head_at_end([(made | unchanged)[status] for status in statuses]) == head
