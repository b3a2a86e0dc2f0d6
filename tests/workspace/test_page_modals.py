"""The page in a real browser: modals with every input, in a stack, and the Home tab."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from slack_bolt import Ack, App
from slack_sdk import WebClient

from tests.running_workspace import Connect, WorkspaceHandle, wait_for
from tests.workspace.block_kit import BUTTONS, input_block, modal, option, plain
from tests.workspace.browsing import drop, needs_chromium, open_channel, write

pytestmark = [pytest.mark.browser, needs_chromium]

Json = dict[str, Any]


def field(block_id: str, kind: str, **element: Any) -> Json:
    return input_block(block_id, {"type": kind, **element}, optional=True)


def fields_of(*pairs: tuple[str, str]) -> list[Json]:
    return [field(block_id, kind) for block_id, kind in pairs]


EVERY_INPUT = modal(
    *fields_of(("Amount", "number_input"), ("Mail", "email_text_input"), ("Address", "url_text_input")),
    *fields_of(("Person", "users_select"), ("People", "multi_users_select"), ("Place", "conversations_select")),
    *fields_of(("Time", "timepicker"), ("Moment", "datetimepicker"), ("Rich", "rich_text_input")),
    field("Remark", "plain_text_input", multiline=True, initial_value="first"),
    field("Depth", "radio_buttons", options=[option("quick"), option("deep")], initial_option=option("quick")),
    field(
        "Grouped",
        "static_select",
        option_groups=[
            {"label": plain("Near"), "options": [option("hr")]},
            {"label": plain("Far"), "options": [option("it")]},
        ],
    ),
    field("Two", "multi_static_select", options=[option("x"), option("y"), option("z")], max_selected_items=2),
)


@pytest.fixture
def submitted(app: App, client: WebClient, connect: Connect) -> list[Json]:
    """Submissions of the modal that `/kb` opens, whose blocks a test may change in `EVERY_INPUT`'s place."""
    values: list[Json] = []
    shown = {"view": EVERY_INPUT, "files": modal(field("Files", "file_input", filetypes=["md"], max_files=2))}

    @app.command("/kb")
    def kb(ack: Ack, body: Json) -> None:
        ack()
        client.views_open(trigger_id=body["trigger_id"], view=shown[body["text"]])

    @app.view("upload")
    def upload(ack: Ack, view: Json) -> None:
        ack()
        values.append({block_id: actions["a"] for block_id, actions in view["state"]["values"].items()})

    for kind in ("message", "app_home_opened"):
        app.event(kind)(lambda: None)
    connect(app)
    return values


def test_every_input_is_filled_in_and_comes_as_slacks_state(submitted: list[Json], page: Page) -> None:
    write(page, "/kb view")
    view = page.get_by_role("dialog", name="Upload")
    for label, value in (
        ("Amount", "3"),
        ("Mail", "a@b.example"),
        ("Address", "https://b.example"),
        ("Remark", "two\nlines"),
    ):
        view.get_by_label(label).fill(value)
    view.get_by_label("Time").fill("09:30")
    view.get_by_label("Moment").fill("2026-01-31T10:00")
    view.get_by_label("Rich").fill("rich")
    view.get_by_label("Person").select_option(label="Bob Bernard")
    view.get_by_role("group", name="People").get_by_label("Ada Admin").check()
    view.get_by_label("Place").select_option(label="#hr")
    view.get_by_role("radiogroup", name="Depth").get_by_label("Deep").check()
    view.get_by_label("Grouped").select_option("it")
    two = view.get_by_role("group", name="Two")
    two.get_by_label("X").check()
    two.get_by_label("Y").check()
    expect(two.get_by_label("Z")).to_be_disabled()
    view.get_by_role("button", name="Send").click()
    expect(view).to_have_count(0)
    [values] = submitted

    assert [values[key]["value"] for key in ("Amount", "Mail", "Address", "Remark")] == [
        *("3", "a@b.example", "https://b.example", "two\nlines"),
    ]
    assert (values["Person"]["selected_user"], values["People"]["selected_users"]) == ("U0BOB", ["U0ADMIN"])
    assert (values["Place"]["selected_conversation"], values["Time"]["selected_time"]) == ("C0HR", "09:30")
    assert values["Depth"]["selected_option"]["value"] == "deep"
    assert values["Grouped"]["selected_option"]["value"] == "it"
    assert [chosen["value"] for chosen in values["Two"]["selected_options"]] == ["x", "y"]
    assert values["Moment"]["selected_date_time"] > 1_700_000_000
    assert values["Rich"]["rich_text_value"]["elements"][0]["elements"][0]["text"] == "rich"


def test_files_are_dropped_into_a_modal_and_what_does_not_fit_is_said(submitted: list[Json], page: Page) -> None:
    write(page, "/kb files")
    view = page.get_by_role("dialog", name="Upload")
    drop(page, view.locator(".drop-zone"), {"a.md": b"# A", "b.exe": b"MZ"})
    expect(view.get_by_role("alert").first).to_contain_text("Not taken: b.exe")
    drop(page, view.locator(".drop-zone"), {"c.md": b"# C", "d.md": b"# D"})
    expect(view.get_by_role("alert").first).to_contain_text("2 files at most: d.md left out")
    view.get_by_role("button", name="Send").click()
    expect(view).to_have_count(0)

    assert [file["name"] for file in submitted[0]["Files"]["files"]] == ["a.md", "c.md"]


def test_views_are_stacked_updated_and_keep_what_was_filled_in(
    workspace: WorkspaceHandle, app: App, client: WebClient, connect: Connect, page: Page
) -> None:
    first = modal(field("Title", "plain_text_input"), BUTTONS[0], title=plain("First"))
    second = modal(field("Reason", "plain_text_input"), title=plain("Second"), callback_id="second")

    @app.command("/kb")
    def kb(ack: Ack, body: Json) -> None:
        ack()
        client.views_open(trigger_id=body["trigger_id"], view=first)

    @app.action("show")
    def show(ack: Ack, body: Json) -> None:
        ack()
        client.views_push(trigger_id=body["trigger_id"], view=second)

    @app.view("second")
    def done(ack: Ack, body: Json) -> None:
        changed = {**first, "blocks": [*first["blocks"], {"type": "section", "text": plain("Now with more")}]}
        client.views_update(view_id=body["view"]["root_view_id"], view=changed)
        ack()

    connect(app)
    write(page, "/kb")
    page.get_by_label("Title").fill("Handbook")
    for leave in ("Back", "Send"):
        page.get_by_role("dialog", name="First").get_by_role("button", name="Show").click()
        page.get_by_role("dialog", name="Second").get_by_role("button", name=leave).click()
        expect(page.get_by_role("dialog", name="First").get_by_label("Title")).to_have_value("Handbook")
    expect(page.get_by_role("dialog", name="First")).to_contain_text("Now with more")
    page.get_by_role("button", name="Show").click()
    page.get_by_role("dialog", name="Second").get_by_role("button", name="Close").click()

    expect(page.get_by_role("dialog")).to_have_count(0)
    assert workspace.control("state")["views"] == []


def test_errors_stand_at_their_fields_and_the_first_gets_the_focus(
    app: App, client: WebClient, connect: Connect, page: Page
) -> None:
    view = modal(field("Title", "plain_text_input"), field("Depth", "radio_buttons", options=[option("quick")]))

    @app.command("/kb")
    def kb(ack: Ack, body: Json) -> None:
        ack()
        client.views_open(trigger_id=body["trigger_id"], view=view)

    errors = {"Title": "Give it a title.", "Depth": "Choose one."}
    app.view("upload")(lambda ack: ack(response_action="errors", errors=errors))
    connect(app)
    write(page, "/kb")
    page.get_by_role("dialog").get_by_role("button", name="Send").click()
    title = page.get_by_label("Title")

    expect(title).to_be_focused()
    expect(title).to_have_attribute("aria-invalid", "true")
    expect(title).to_have_accessible_description("Give it a title.")
    expect(page.get_by_role("radiogroup", name="Depth")).to_have_accessible_description("Choose one.")


def test_the_home_tab_shows_what_the_app_publishes(
    workspace: WorkspaceHandle, app: App, client: WebClient, connect: Connect, page: Page
) -> None:
    pressed: list[str] = []

    @app.event("app_home_opened")
    def opened(event: Json) -> None:
        if event["tab"] == "home":
            blocks = [{"type": "header", "text": plain(f"Hello {event['user']}")}, *BUTTONS[:1]]
            client.views_publish(user_id=event["user"], view={"type": "home", "blocks": blocks})

    @app.action("show")
    def show(ack: Ack, action: Json) -> None:
        ack()
        pressed.append(action["value"])

    connect(app)
    open_channel(page, "footnote")
    page.get_by_role("tab", name="Home").click()
    home = page.get_by_role("tabpanel", name="Home")
    expect(home.get_by_role("heading", name="Hello U0ALICE")).to_be_visible()
    home.get_by_role("button", name="Show").click()
    wait_for(lambda: pressed == ["p1"])
    page.keyboard.press("Tab")
    page.get_by_role("tab", name="Messages").click()

    expect(page.get_by_role("heading", name="Ask footnote anything")).to_be_visible()


def test_an_app_without_a_home_tab_says_so(page: Page) -> None:
    open_channel(page, "footnote")
    page.get_by_role("tab", name="Home").click()

    expect(page.get_by_role("heading", name=re.compile("no Home tab yet"))).to_be_visible()


def test_a_suggestion_of_the_app_is_found_by_typing_and_chosen_with_the_keyboard(
    app: App, client: WebClient, connect: Connect, page: Page
) -> None:
    values: list[Json] = []

    @app.command("/kb")
    def kb(ack: Ack, body: Json) -> None:
        ack()
        select = field("Document", "external_select", min_query_length=0)
        client.views_open(trigger_id=body["trigger_id"], view=modal(select))

    @app.options("a")
    def options(ack: Ack, body: Json) -> None:
        ack(options=[option(name) for name in ("handbook", "pay", "payroll") if body["value"] in name])

    @app.view("upload")
    def upload(ack: Ack, view: Json) -> None:
        ack()
        values.append(view["state"]["values"]["Document"]["a"])

    connect(app)
    write(page, "/kb view")
    view = page.get_by_role("dialog", name="Upload")
    box = view.get_by_role("combobox", name="Document")
    box.fill("pay")
    expect(view.get_by_role("option")).to_have_text(["Pay", "Payroll"])
    box.press("ArrowDown")
    box.press("ArrowDown")
    box.press("Enter")
    expect(box).to_have_value("Payroll")
    box.press("Escape")
    expect(view).to_have_count(0)
    write(page, "/kb view")
    box.fill("hand")
    view.get_by_role("option", name="Handbook").click()
    view.get_by_role("button", name="Send").click()
    expect(view).to_have_count(0)

    assert wait_for(lambda: values) == [{"type": "external_select", "selected_option": option("handbook")}]
