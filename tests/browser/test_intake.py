"""Supervisors enter a paper round with two people and handle a refused line; integrators read the API's pages."""

from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from compliance.core.accounts.demo import demo_email
from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import Role
from rounds.floor.services import add_table, approve_key, assign_table, propose_key, register_controller
from rounds.ledger.readers.consumer import read_entries
from tests.browser.user_actions import (
    assert_accessible,
    assert_fits_its_width,
    confirm_warning,
    reauthenticate,
    save_screenshot,
    sign_in,
)
from tests.rounds.floor.crew import OPENING, PUBLIC_KEY
from tests.rounds.floor.demo_rules import approve_rules
from tests.rounds.intake.controller_client import Feeder

pytestmark = pytest.mark.browser
OpenBrowser = Callable[..., Page]


def demo(role: Role) -> User:
    return User.objects.get(email=demo_email(role))


@pytest.fixture
def feeder(site: str) -> Feeder:
    """The demo's Harbour with rules, one table, and its controller."""
    harbour, officer = Casino.objects.get(slug="harbour"), demo(Role.COMPLIANCE_OFFICER)
    approve_rules(harbour, "nsw-sic-bo", timezone.now())
    table = add_table(casino=harbour, slug="sb-1", name="Table 1", actor=officer, now=OPENING)
    box = register_controller(casino=harbour, slug="box-1", name="Box 1", actor=officer, now=OPENING)
    assign_table(controller=box, table=table, actor=officer, now=OPENING)
    key = propose_key(controller=box, public_key=PUBLIC_KEY, actor=officer, now=OPENING)
    approve_key(key=key, actor=demo(Role.ADMINISTRATOR), now=OPENING)
    return Feeder()


def look_at(page: Page, name: str) -> None:
    assert_fits_its_width(page)
    assert_accessible(page)
    save_screenshot(page, name)


def test_a_round_from_paper_takes_two_people(open_browser: OpenBrowser, feeder: Feeder) -> None:
    first = open_browser(viewport={"width": 320, "height": 800})
    sign_in(first, "Casino supervisor")
    first.goto("/casinos/harbour/floor/paper/")
    first.get_by_role("link", name="Enter a round").click()
    first.get_by_role("button", name="Enter the round").click()
    expect(first.get_by_role("alert")).to_contain_text("Say why no controller reported this round.")
    look_at(first, "paper-enter-errors")
    for label, value in (
        ("Number of the round", "P-17"),
        ("Gaming day", "2026-07-16"),
        ("Bets were opened", "2026-07-16T20:41"),
        ("The three numbers", "4 2 4"),
        ("Why was it written on paper?", "Controller out of order."),
        ("Seat, wager 1", "4"),
        ("Stake, wager 1", "10.00"),
        ("Returned in all, wager 1", "70.00"),
        ("Number, Super Streak wager 1", "S-9"),
        ("Seat, Super Streak wager 1", "3"),
        ("Stake, Super Streak wager 1", "5.00"),
        ("Made, Super Streak wager 1", "2026-07-16T20:44"),
    ):
        # Labels of rows are matched exactly; others may end with "optional".
        first.get_by_label(label, exact="wager" in label).fill(value)
    first.get_by_label("Bet, wager 1", exact=True).select_option("total:10")
    first.get_by_label("Bet, Super Streak wager 1", exact=True).select_option("streak:odd-even")
    first.get_by_role("button", name="Enter the round").click()
    confirm_warning(first)
    expect(first.get_by_text("It waits for a second supervisor")).to_be_visible()
    second = open_browser()
    sign_in(second, "Games supervisor")
    second.goto(first.url)
    expect(second.get_by_role("row", name="Super Streak: Odd or even")).to_contain_text("Running")
    look_at(second, "paper-round")
    second.get_by_role("link", name="Confirm").click()
    reauthenticate(second)
    second.get_by_role("button", name="Confirm the round").click()
    confirm_warning(second)
    expect(second.get_by_text("The round is recorded.")).to_be_visible()
    assert [entry.kind for entry in read_entries("harbour", 0, 10**6)][-2:] == ["round", "warning-confirmed"]


def test_a_refused_line_is_dealt_with(open_browser: OpenBrowser, feeder: Feeder) -> None:
    assert feeder.send(feeder.line_at(1, dice=[1, 2, 7]), b"{").status_code == 422
    page = open_browser()
    sign_in(page, "Games supervisor")
    page.goto("/casinos/harbour/floor/")
    page.get_by_role("link", name="Feeds").click()
    expect(page.get_by_role("heading", name="Feeds at Harbour Casino")).to_be_visible()
    look_at(page, "feeds")
    page.get_by_role("link", name="Quarantine: 2 waiting").click()
    expect(page.get_by_role("table")).to_contain_text("A result is three whole numbers from 1 to 6.")
    look_at(page, "quarantine")
    page.set_viewport_size({"width": 320, "height": 800})
    page.get_by_role("rowheader").get_by_role("link").first.click()
    expect(page.get_by_role("link", name="Deal with it")).to_be_visible()
    look_at(page, "quarantined-narrow")
    page.get_by_role("link", name="Deal with it").click()
    page.get_by_label("What did you find").fill("The sensor was cleaned.")
    page.get_by_role("button", name="Mark as dealt with").click()
    expect(page.get_by_text("The sensor was cleaned.")).to_be_visible()


def test_integrators_find_every_kind(open_browser: OpenBrowser) -> None:
    page = open_browser(viewport={"width": 320, "height": 900})
    for name, heading in (("integrators", "voucher-exchanged"), ("integrators-rule-sets", "In every rule set")):
        page.set_viewport_size({"width": 320, "height": 900})
        page.goto(f"/help/{name}/")
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
        look_at(page, f"help-{name}-320")
        for width in (375, 1280):
            page.set_viewport_size({"width": width, "height": 900})
            assert_fits_its_width(page)
            save_screenshot(page, f"help-{name}-{width}")


def test_the_document_can_be_read_in_the_browser(open_browser: OpenBrowser) -> None:
    page = open_browser()
    page.goto("/api/v1/")
    expect(page.get_by_text("Send a signed batch of lines")).to_be_visible()
    save_screenshot(page, "api-reader")
