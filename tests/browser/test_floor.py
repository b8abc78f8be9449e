"""A supervisor with a tablet sets a limit, looks at yesterday, and is refused posted odds below the minimum."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from compliance.core.accounts.demo import demo_email
from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import Role
from rounds.floor.demo import FLOORS, make_demo_floors
from rounds.floor.models import Fact
from rounds.rulebook.models import MediaType
from rounds.rulebook.selectors import version_in_force
from rounds.rulebook.versions.approve import approve_version, expected_effective_at
from rounds.rulebook.versions.propose import SourceUpload, propose_version
from rounds.rulepacks import PACK_FOLDER
from tests.browser.user_actions import (
    assert_accessible,
    assert_fits_any_screen,
    assert_fits_its_width,
    save_screenshot,
    sign_in,
)

pytestmark = pytest.mark.browser
OpenBrowser = Callable[..., Page]
TABLET = {"width": 768, "height": 1024}


@pytest.fixture
def floors(site: str) -> None:
    """Harbour and Boardwalk with approved rules and their tables, as in the demo."""
    now = timezone.now()
    proposer, approver = (
        User.objects.get(email=demo_email(role)) for role in (Role.COMPLIANCE_OFFICER, Role.INSPECTOR)
    )
    for floor in FLOORS:
        casino = Casino.objects.get(slug=floor.casino)
        if floor.casino not in ("harbour", "boardwalk") or version_in_force(casino, floor.rules, now):
            continue
        version = propose_version(
            casino=casino,
            pack_content=(PACK_FOLDER / f"{floor.rules}.toml").read_bytes(),
            pack_file=f"{floor.rules}.toml",
            source=SourceUpload(b"As printed.", "rules.txt", MediaType.TEXT),
            readings={},
            actor=proposer,
            now=now - timedelta(days=92),
        )
        approve_version(
            version=version,
            effective_at=expected_effective_at(version) or now - timedelta(days=90),
            time_zone="UTC",
            evidence="Gazetted.",
            edge_reason="Printed so.",
            actor=approver,
            now=now - timedelta(days=91),
        )
    make_demo_floors(now)


def row(page: Page, heading: str) -> Locator:
    return page.get_by_role("row").filter(has=page.get_by_role("rowheader", name=heading, exact=True))


@pytest.mark.usefixtures("floors")
def test_limits_yesterday_and_posted_odds(open_browser: OpenBrowser) -> None:
    page = open_browser(viewport=TABLET, has_touch=True)
    sign_in(page, Role.CASINO_SUPERVISOR.label)
    page.goto("/")
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Floor").tap()
    page.get_by_role("link", name="Harbour Casino").tap()
    page.get_by_role("link", name="Tables and facts").tap()
    page.get_by_role("link", name="Sic Bo 2", exact=True).tap()
    expect(row(page, "Limits")).to_contain_text("$25.00 AUD to $2,500.00 AUD")
    assert_accessible(page)
    assert_fits_its_width(page)

    # A higher minimum without a sign.
    page.get_by_role("link", name="Change limits").tap()
    page.get_by_label("Minimum", exact=True).fill("50")
    page.get_by_role("button", name="Record").tap()
    # What the audit would find needs a reason.
    expect(page.get_by_role("heading", name="The audit would report this")).to_be_visible()
    assert_accessible(page)
    assert_fits_its_width(page)
    save_screenshot(page, "floor-limits-predicted")
    page.get_by_label("Reason for recording it all the same").fill("The sign was up; nobody wrote it down.")
    page.get_by_role("button", name="Record anyway").tap()
    expect(row(page, "Limits")).to_contain_text("$50.00 AUD to $2,500.00 AUD")
    save_screenshot(page, "floor-table")

    # Yesterday the old limits held.
    sydney = Casino.objects.get(slug="harbour").zone
    yesterday = (datetime.now(UTC) - timedelta(days=1)).astimezone(sydney)
    page.get_by_label("Show what held at").fill(yesterday.strftime("%Y-%m-%dT%H:%M"))
    page.get_by_role("button", name="Show").tap()
    expect(page.get_by_role("heading", name="What held on")).to_be_visible()
    expect(row(page, "Limits")).to_contain_text("$25.00 AUD to $2,500.00 AUD")
    assert_accessible(page)
    save_screenshot(page, "floor-yesterday")

    # Posted odds below the minimum are refused at their field, with the clause; the input stays.
    page.goto("/casinos/boardwalk/floor/tables/sic-1/facts/posted-odds/")
    page.get_by_label("Total Value Bet of 4").fill("45 to 1")
    page.get_by_role("button", name="Record").tap()
    problem = "total:4 is posted at 45 to 1, below the minimum of 50 to 1 in clause 4(b)."
    page.get_by_role("alert").get_by_role("link", name=problem).tap()
    expect(page.get_by_label("Total Value Bet of 4")).to_be_focused()
    expect(page.get_by_label("Total Value Bet of 4")).to_have_value("45 to 1")
    assert Fact.objects.filter(name="posted-odds", casino__slug="boardwalk").count() == 2
    assert_accessible(page)
    assert_fits_its_width(page)
    save_screenshot(page, "floor-odds-refused")

    addresses = ("tables/", "tables/sic-1/", "tables/sic-1/facts/limits/history/", "casino/", "controllers/")
    for address in (*(f"/casinos/boardwalk/floor/{one}" for one in addresses), "/help/floor/"):
        assert_fits_any_screen(page, address)
