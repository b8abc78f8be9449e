"""Disputes in a browser: logged on a tablet while the network fails, then decided up the ladders of two rule packs."""

import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import transaction
from django.utils import timezone
from django_otp.plugins.otp_totp.models import TOTPDevice
from playwright.sync_api import Page, Route, expect
from pytest_django import Settings

from compliance.disputes.models import Dispute, DisputeDraft
from rounds.intake.protocol.examples import BODIES
from rounds.ledger.signing.checkpoints import create_key_file
from rounds.ledger.writing.append import append, make_entry
from tests.browser.conftest import demo_floors, windows
from tests.browser.user_actions import (
    assert_accessible,
    assert_fits_its_width,
    reauthenticate,
    save_screenshot,
    sign_in,
)

pytestmark = pytest.mark.browser
OpenBrowser = Callable[..., Page]
TABLET = {"width": 768, "height": 1024}


@pytest.fixture
def world() -> Callable[[], None]:
    return demo_floors


@pytest.fixture
def floors(site: str, settings: Settings, tmp_path: Path) -> str:
    """The demo casinos with rules and tables, and a current round at Harbour and at Adelaide."""
    settings.LEDGER_KEY_FILE = tmp_path / "keys" / "ledger.key"
    settings.MEDIA_ROOT = tmp_path / "uploads"
    settings.DATA_DIR = tmp_path
    create_key_file(settings.LEDGER_KEY_FILE)
    now = timezone.now()
    for casino, table in (("harbour", "sb-1"), ("adelaide", "bs-1")):
        line = {"kind": "round", "table": table, "sequence": 1, "at": now.isoformat(), "body": BODIES["round"]}
        with transaction.atomic():
            append(casino, [make_entry("round", line, table=table)], now)
    return site


def look_at(page: Page, name: str) -> None:
    for width in (320, 768, 1280):
        page.set_viewport_size({"width": width, "height": 1024})
        assert_fits_its_width(page)
    assert_accessible(page)
    page.set_viewport_size({"width": 768, "height": 1024})
    save_screenshot(page, name)


def wait_for_a_new_code() -> None:
    """Simulates half a minute, because a code is valid for one signature."""
    TOTPDevice.objects.update(last_t=-1, throttling_failure_count=0)


def act(page: Page, button: str, send: str, **fields: str) -> None:
    """Opens a step from the dispute's page, fills it in, re-authenticates if asked, and returns."""
    wait_for_a_new_code()
    page.get_by_role("link", name=button, exact=True).click()
    expect(page.get_by_role("button", name=send)).to_be_visible()
    for label, words in fields.items():
        field = page.get_by_label(label.replace("_", " "), exact=True)
        if field.get_attribute("type") == "radio":
            field.check()
        elif field.evaluate("element => element.tagName") == "SELECT":
            field.select_option(words)
        else:
            field.fill(words)
    if page.get_by_label("Your password").count():
        reauthenticate(page)
    page.get_by_role("button", name=send).click()


def open_dispute(page: Page, role: str, casino: str = "harbour") -> None:
    page.context.clear_cookies()
    wait_for_a_new_code()
    sign_in(page, role)
    page.goto(f"/casinos/{casino}/disputes/1/")
    expect(page.get_by_role("heading", name="Dispute D-1")).to_be_visible()


def log_it(page: Page, casino: str, table: str) -> None:
    page.goto(f"/casinos/{casino}/disputes/new/tables/{table}/")
    page.locator("a.pick").first.click()
    expect(page.get_by_role("button", name="Log the dispute")).to_be_visible()
    page.get_by_label("A win was not paid at all").check()
    page.get_by_label("What does the patron say?").fill("It lay on ten.")
    page.get_by_role("button", name="Log the dispute").click()
    expect(page.get_by_role("heading", name="Dispute D-1")).to_be_visible()


def assert_nothing_is_kept_on_the_device(page: Page) -> None:
    """Eventually: "saved" on the page may refer to the draft that the server had before."""
    for _ in range(200):
        if page.evaluate("localStorage.length") == 0:
            return
        page.wait_for_timeout(50)
    raise AssertionError("the device keeps what the server has")


def test_a_supervisor_logs_a_dispute_while_the_network_fails(browser: object, floors: str) -> None:
    with windows(browser, floors, tolerated="ERR_INTERNET_DISCONNECTED") as open_window:  # type: ignore[arg-type]
        page = open_window(viewport=TABLET, has_touch=True)
        sign_in(page, "Games supervisor")
        page.goto("/")
        page.get_by_role("navigation", name="Main").get_by_role("link", name="Disputes").tap()
        page.get_by_role("link", name="Harbour Casino").tap()
        page.get_by_role("link", name="Log a dispute").tap()
        page.get_by_role("link", name=re.compile("Sic Bo 1 ")).tap()
        expect(page.locator("a.pick").first).to_be_visible()
        look_at(page, "dispute-rounds")
        page.locator("a.pick").first.tap()
        expect(page.get_by_text("As the rules say").first).to_be_visible()
        page.get_by_role("checkbox", name=re.compile("wager 0041-2")).check()
        page.get_by_text("A win was not paid at all").tap()
        page.get_by_label("What does the patron say?").fill("It lay on")
        expect(page.get_by_role("status")).to_contain_text("Draft saved")
        page.context.set_offline(True)
        page.get_by_label("What does the patron say?").fill("It lay on ten, not on nine.")
        page.get_by_label("Name of the patron").fill("Ling")
        expect(page.get_by_role("status")).to_contain_text("No connection")
        page.get_by_role("button", name="Log the dispute").tap()
        expect(page.get_by_role("status")).to_contain_text("No connection")
        kept = page.evaluate("JSON.stringify(localStorage)")
        assert "not on nine" in kept
        assert "Ling" not in kept
        address, state = page.url, page.context.storage_state()
        page.context.close()
        # The browser was closed; with the connection back, the typed text is there.
        page = open_window(viewport=TABLET, storage_state=state)
        page.goto(address)
        expect(page.get_by_label("What does the patron say?")).to_have_value("It lay on ten, not on nine.")
        expect(page.get_by_role("status")).to_contain_text("Draft saved")
        assert_nothing_is_kept_on_the_device(page)
        look_at(page, "dispute-new")
        page.get_by_role("button", name="Log the dispute").click()
        expect(page.get_by_role("heading", name="Dispute D-1")).to_be_visible()
        expect(page.get_by_text("It lay on ten, not on nine.")).to_be_visible()
        look_at(page, "dispute-logged")
        assert not DisputeDraft.objects.exists()
        assert Dispute.objects.get().statement.text == "It lay on ten, not on nine."


def test_what_is_typed_before_the_script_runs_is_saved(open_browser: OpenBrowser, floors: str) -> None:
    page, held = open_browser(), list[Route]()
    sign_in(page, "Games supervisor")
    page.goto("/casinos/harbour/disputes/new/tables/sb-1/")
    draft_script = re.compile(r"/disputes/draft[^/]*\.js$")
    page.route(draft_script, lambda route: held.append(route))
    with page.expect_request(draft_script):
        page.locator("a.pick").first.click()
    page.get_by_label("What does the patron say?").fill("It lay on ten.")
    assert not DisputeDraft.objects.exists()
    [script] = held
    script.continue_()
    expect(page.get_by_role("status")).to_contain_text("Draft saved")
    assert DisputeDraft.objects.get().typed["statement"] == "It lay on ten."


def test_a_draft_survives_the_end_of_the_session(open_browser: OpenBrowser, floors: str, settings: Settings) -> None:
    page = open_browser(viewport=TABLET)
    sign_in(page, "Games supervisor")
    page.goto("/casinos/harbour/disputes/new/tables/sb-1/")
    page.locator("a.pick").first.click()
    page.get_by_label("A win was not paid at all").check()
    page.get_by_label("What does the patron say?").fill("It lay on")
    expect(page.get_by_role("status")).to_contain_text("Draft saved")
    lasting, settings.SESSION_IDLE_SECONDS = settings.SESSION_IDLE_SECONDS, 0
    page.get_by_label("What does the patron say?").fill("It lay on ten, not on nine.")
    expect(page.get_by_role("status")).to_contain_text("You have been signed out.")
    settings.SESSION_IDLE_SECONDS = lasting
    assert_accessible(page)
    wait_for_a_new_code()
    page.get_by_role("link", name="Sign in again").click()
    page.get_by_role("link", name="Games supervisor", exact=True).click()
    expect(page).to_have_url(re.compile(r"[?&]as="))
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_label("Code")).to_be_visible()
    page.get_by_label("Code").fill(demo_code(page))
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_label("What does the patron say?")).to_have_value("It lay on ten, not on nine.")
    expect(page.get_by_role("status")).to_contain_text("Draft saved")
    assert_nothing_is_kept_on_the_device(page)
    page.get_by_role("button", name="Log the dispute").click()
    expect(page.get_by_role("heading", name="Dispute D-1")).to_be_visible()
    assert Dispute.objects.get().statement.text == "It lay on ten, not on nine."


def demo_code(page: Page) -> str:
    """The code that the demo shows beside the field."""
    hint = page.get_by_text(re.compile(r"the code for this person is \d{6}"))
    expect(hint).to_be_visible()
    return str(re.findall(r"\d{6}", hint.inner_text())[-1])


def test_the_nsw_ladder_to_the_inspectors_outcome(open_browser: OpenBrowser, floors: str) -> None:
    page = open_browser(viewport=TABLET)
    sign_in(page, "Casino supervisor")
    log_it(page, "harbour", "sb-1")
    # A substitute decided in the absence of a games supervisor, and may not review as well.
    decision = {"Against_the_patron": "on", "Reasons": "The chips lay on nine."}
    page.get_by_role("link", name="Decide: first decision").click()
    page.get_by_label(re.compile("No games supervisor was there")).check()
    page.get_by_label("Against the patron").check()
    page.get_by_label("Reasons").fill("The chips lay on nine.")
    reauthenticate(page)
    page.get_by_role("button", name="Decide").click()
    expect(page.get_by_text("The decision is recorded.")).to_be_visible()
    told = {"What_the_patron_was_told": "It lost.", "In_which_language": "English"}
    act(page, "Tell the patron", "Record it", **told, Asks_for_a_review="on")
    expect(page.get_by_role("heading", name="Review requested")).to_be_visible()
    act(page, "Decide: review", "Decide", **decision)
    expect(page.get_by_role("alert")).to_contain_text("You decided this")
    expect(page.get_by_label("Reasons")).to_have_value("The chips lay on nine.")
    assert_accessible(page)
    save_screenshot(page, "dispute-refused")
    open_dispute(page, "Shift manager")
    act(page, "Decide: review", "Decide", **decision)
    expect(page.get_by_text("The decision is recorded.")).to_be_visible()
    act(page, "Tell the patron", "Record it", **told, Is_not_satisfied="on")
    act(page, "Close the dispute", "Close the dispute", How_it_ended="Over.")
    expect(page.get_by_role("alert")).to_contain_text("clause 9.13")
    open_dispute(page, "Games supervisor")
    page.get_by_role("link", name="Page to hand over").click()
    expect(page.get_by_role("img", name="QR code that leads to the rules of the game")).to_be_visible()
    look_at(page, "dispute-advice")
    page.get_by_role("link", name="Record the advice").click()
    page.get_by_label("Printed page handed over").check()
    page.get_by_role("button", name="Record the advice").click()
    expect(page.get_by_text("The advice is recorded.")).to_be_visible()
    open_dispute(page, "Inspector")
    act(page, "Complaint to the inspector", "Pass it to the inspector", In_writing="on")
    act(page, "Add a note of your own", "Add the note", Note="The dealer contradicts herself.")
    act(
        page,
        "Ask the operator",
        "Send the request",
        Footage_to_be_preserved="on",
        What_exactly="Camera 4.",
        By_which_day=(timezone.now() + timedelta(days=3)).date().isoformat(),
    )
    expect(page.get_by_text("The request is recorded.")).to_be_visible()
    open_dispute(page, "Compliance officer")
    expect(page.get_by_text("contradicts herself")).to_have_count(0)
    act(page, "Answer", "Answer", Answer="Tape 88 is kept.")
    expect(page.get_by_text("Your answer was sent to the inspector.")).to_be_visible()
    open_dispute(page, "Inspector")
    act(
        page,
        "Determine the complaint",
        "Record the outcome",
        Complaint_not_substantiated="on",
        Reasons="The film shows nine.",
    )
    expect(page.get_by_text("The outcome is recorded.")).to_be_visible()
    expect(page.get_by_text("contradicts herself")).to_be_visible()
    look_at(page, "dispute-determined")
    with page.expect_download() as letter:
        page.get_by_role("link", name="Letter to the patron (PDF)").click()
    assert letter.value.path().read_bytes().startswith(b"%PDF")


def test_the_skycity_ladder(open_browser: OpenBrowser, floors: str) -> None:
    page = open_browser(viewport=TABLET)
    sign_in(page, "Casino supervisor")
    log_it(page, "adelaide", "bs-1")
    act(page, "Decide: first decision", "Decide", Against_the_patron="on", Reasons="It lost.")
    told = {"What_the_patron_was_told": "It lost.", "In_which_language": "Mandarin"}
    act(page, "Tell the patron", "Record it", **told, Asks_for_a_review="on")
    act(page, "Decide: review", "Decide", Against_the_patron="on", Reasons="It lost.")
    expect(page.get_by_role("alert")).to_contain_text("the Manager Government Casino Inspectorate")
    open_dispute(page, "Authority officer", "adelaide")
    act(page, "Decide: review", "Decide", For_the_patron="on", Reasons="It won.")
    expect(page.get_by_text("The decision is recorded.")).to_be_visible()
    act(page, "Tell the patron", "Record it", **told, Accepts_the_decision="on")
    act(page, "Close the dispute", "Close the dispute", How_it_ended="Paid.")
    expect(page.get_by_text("The dispute is closed.")).to_be_visible()
