"""An inspector goes from the list of findings to the evidence of one, on a tablet, a phone and a wide screen."""

from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from compliance.audit.models import Finding
from compliance.core.accounts.models import Casino, User
from tests.browser.user_actions import assert_accessible, assert_fits_its_width, save_screenshot, sign_in
from tests.compliance.audit.house import House
from tests.compliance.audit.round_builders import wager
from tests.rounds.floor.crew import Crew

pytestmark = pytest.mark.browser


class Demo:
    """The demo's people at Harbour in the roles of the crew."""

    def __init__(self) -> None:
        self.harbour = Casino.objects.get(slug="harbour")
        self.cora, self.sid = (
            User.objects.get(email__startswith=role) for role in ("compliance-officer", "casino-supervisor")
        )
        self.ines = User.objects.get(email__startswith="inspector")
        self.cast = self


@pytest.fixture
def played_house(site: str) -> House:
    demo: Crew = Demo()  # type: ignore[assignment]
    house = House(demo)
    house.open_table()
    house.play((4, 2, 4), wager("small", 2_500, 5_100, id="w-7"))
    house.play((4, 2, 4), wager("total:9", 500, 4_000, id="w-8"))
    house.audit()
    return house


def test_an_inspector_follows_a_finding(played_house: House, open_browser: Callable[..., Page]) -> None:
    finding = Finding.objects.get(code="SETTLE-OVERPAID")
    page = open_browser()
    sign_in(page, "Inspector")
    page.goto("/")
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Findings").click()
    page.get_by_role("link", name="Harbour Casino").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Findings at Harbour Casino")
    save_screenshot(page, "findings")
    assert_accessible(page)
    page.locator("summary", has_text="Filter").click()
    page.get_by_label("Code").select_option("SETTLE-OVERPAID")
    page.get_by_role("button", name="Apply").click()
    page.get_by_role("link", name="SETTLE-OVERPAID").last.click()
    expect(page.get_by_text(finding.sentence)).to_be_visible()
    expect(page.get_by_text("Due: $50.00.")).to_be_visible()
    assert_accessible(page)
    for width in (320, 768, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert_fits_its_width(page)
        save_screenshot(page, f"finding-{width}")
    page.goto("/casinos/harbour/findings/coverage/")
    assert_accessible(page)
    save_screenshot(page, "coverage")
    for address in ("/casinos/harbour/findings/", "/casinos/harbour/findings/coverage/", "/help/findings/"):
        page.set_viewport_size({"width": 320, "height": 900})
        page.goto(address)
        assert_fits_its_width(page)
    assert finding.found_at <= timezone.now()
