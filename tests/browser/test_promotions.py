"""Promotions in a browser: terms filed in time and late, an amendment, a draw, a winner not reached, a denial."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from compliance.core.accounts.demo import demo_email
from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import Role
from promotions.demo import CAR, TRIP, demo_answers
from promotions.terms.content.terms import Terms
from promotions.terms.models import TermsVersion
from promotions.terms.services import begin_draft, file_terms
from tests.browser.conftest import demo_floors
from tests.browser.user_actions import (
    assert_accessible,
    assert_fits_its_width,
    confirm_warning,
    reauthenticate,
    save_screenshot,
    sign_in,
)

pytestmark = pytest.mark.browser
PLACE = "/casinos/harbour/promotions/"


@pytest.fixture
def world() -> Callable[[], None]:
    return demo_floors


@pytest.fixture
def harbour(site: str) -> Casino:
    return Casino.objects.get(slug="harbour")


def look_it_over(page: Page, name: str) -> None:
    assert_accessible(page)
    for width in (320, 768, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert_fits_its_width(page)
    save_screenshot(page, f"promotions-{name}")


def clock(casino: Casino, at: datetime) -> str:
    return f"{at.astimezone(casino.zone):%Y-%m-%dT%H:%M}"


def step(page: Page, name: str, **fields: str) -> None:
    """One page of the wizard: fills in the fields, saves, and is back at the list."""
    page.get_by_role("link", name=name, exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(name)
    for label, value in fields.items():
        page.get_by_label(label.replace("_", " "), exact=True).fill(value)


def save(page: Page, button: str = "Save and continue") -> None:
    page.get_by_role("button", name=button).click()
    expect(page.get_by_role("heading", name="What is still missing")).to_be_visible()


def filed(casino: Casino, starts_at: datetime, now: datetime) -> TermsVersion:
    marketer = User.objects.get(email=demo_email(Role.MARKETING))
    draft = begin_draft(casino=casino, actor=marketer, now=now)
    draft.answers = dict(Terms(demo_answers("Spring Draw", starts_at)).with_prizes((CAR, TRIP)).answers)
    draft.save()
    return file_terms(draft=draft, actor=marketer, now=now)


def test_marketing_files_terms_for_a_vehicle_and_a_travel_prize(
    open_browser: Callable[..., Page], harbour: Casino
) -> None:
    page = open_browser()
    starts = timezone.now() + timedelta(days=10)

    def moment(days: int) -> str:
        return clock(harbour, starts + timedelta(days=days))

    begin(page)
    answer_in_words(page, moment)
    put_times_right(page, moment)
    answer_how_to_play_and_claim(page)
    add_prizes(page)
    step(page, "Scrutineer", Name_of_the_scrutineer="Sam Scrutineer")
    save(page)
    expect(page.locator("main")).to_contain_text("Nothing. The terms say everything that they must say.")
    look_it_over(page, "draft-whole")
    preview_and_file(page)
    stranger = open_browser()
    stranger.goto(page.url)
    expect(stranger.get_by_role("heading", level=1)).to_have_text("Grand Spring Draw")


def begin(page: Page) -> None:
    sign_in(page, "Marketing")
    page.goto("/")
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Promotions").click()
    page.get_by_role("link", name="Harbour Casino").click()
    page.get_by_role("link", name="New promotion").click()
    expect(page.get_by_role("button", name="Begin")).to_be_visible()
    look_it_over(page, "begin")
    page.get_by_role("button", name="Begin").click()
    expect(page.locator("main")).to_contain_text("There is no prize yet.")
    look_it_over(page, "draft-empty")


def answer_in_words(page: Page, moment: Callable[[int], str]) -> None:
    step(page, "Name of the promotion", Name="Grand Spring Draw")
    save(page)
    step(
        page,
        "Where and when the promotion runs",
        Where_it_runs="Main floor",
        When_it_starts=moment(0),
        When_it_ends=moment(20),
    )
    save(page)
    expect(page.locator("main")).to_contain_text("File by")
    for title, label in (
        ("How the prizes are awarded", "How the prizes are awarded"),
        ("Who can win", "Who can win"),
        ("What the prize is, and what is or is not guaranteed", "What the prize is"),
        ("How results are published", "How results are published"),
    ):
        step(page, title)
        page.get_by_label(label, exact=True).fill("As printed here.")
        save(page)


def put_times_right(page: Page, moment: Callable[[int], str]) -> None:
    """Wrong times first, which are refused without losing input."""
    step(page, "When entries close", When_entries_close=moment(-1))
    page.get_by_role("button", name="Save and continue").click()
    expect(page.get_by_role("alert")).to_contain_text("Entries close before the promotion starts.")
    look_it_over(page, "closing-too-early")
    page.get_by_label("When entries close", exact=True).fill(moment(18))
    save(page)
    step(page, "When and where the prizes are awarded", When_the_prizes_are_drawn_or_awarded=moment(17), Where="Stage")
    page.get_by_role("button", name="Save and continue").click()
    expect(page.get_by_role("alert")).to_contain_text("The prize is drawn before entries close.")
    page.get_by_label("When the prizes are drawn or awarded").fill(moment(19))
    save(page)


def answer_how_to_play_and_claim(page: Page) -> None:
    step(page, "Minimum or compulsory wager")
    page.get_by_label("Yes, at least an amount").check()
    page.get_by_label("How much").fill("20.005")
    page.get_by_role("button", name="Save and continue").click()
    expect(page.get_by_role("alert")).to_contain_text("at most two digits after the point")
    page.get_by_label("How much").fill("20.00")
    save(page)
    step(page, "How to claim a prize", How_a_prize_is_claimed="At the desk.")
    page.get_by_label("No", exact=True).check()
    save(page)
    step(page, "How winners are told")
    page.get_by_label("Telephone").check()
    save(page)


def preview_and_file(page: Page) -> None:
    page.get_by_role("link", name="Preview as patrons read it").click()
    expect(page.locator("main")).to_contain_text("Registration and other on-road costs")
    look_it_over(page, "preview")
    page.go_back()
    page.get_by_role("link", name="Check and file").click()
    expect(page.get_by_role("button", name="File these terms")).to_be_visible()
    look_it_over(page, "file")
    page.get_by_role("button", name="File these terms").click()
    expect(page.locator("main")).to_contain_text("reference P-1/1")
    expect(page.locator("main")).to_contain_text("In time")
    look_it_over(page, "version")
    page.get_by_role("link", name="Public page").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Grand Spring Draw")
    look_it_over(page, "public")


def add_prizes(page: Page) -> None:
    page.get_by_role("link", name="Prizes", exact=True).click()
    for kind, fields in (
        (
            "Motor vehicle",
            {
                "Name of the prize": "Hatchback",
                "Make": "Acme",
                "Model": "Zip",
                "Accessories": "None",
                "Registration and other on-road costs": "Included",
            },
        ),
        (
            "Travel",
            {
                "Name of the prize": "Weekend in Cairns",
                "Number of persons": "2",
                "Airfares": "Included",
                "Transfers": "Included",
                "Other transport": "Included",
                "Duration": "Included",
                "Standard of accommodation": "Included",
                "Meals": "Included",
                "When it must be taken": "Within a year",
                "Spending money": "None",
            },
        ),
    ):
        page.get_by_role("link", name="Add a prize").click()
        page.get_by_label(kind).check()
        page.get_by_role("button", name="Continue").click()
        for label, value in fields.items():
            page.get_by_label(label, exact=True).fill(value)
        page.get_by_label("Litres of liquor in it").fill("20.001")
        page.get_by_role("button", name="Save the prize").click()
        expect(page.get_by_role("alert")).to_contain_text("Enter what the prize is worth.")
        page.get_by_label("Value", exact=True).fill("28,500.00")
        page.get_by_role("button", name="Save the prize").click()
        expect(page.get_by_role("alert")).to_contain_text("Clause 10.5.4 prohibits it.")
        if kind == "Travel":
            look_it_over(page, "prize-refused")
        page.get_by_label("Litres of liquor in it").fill("20")
        page.get_by_role("button", name="Save the prize").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Prizes")
    look_it_over(page, "prizes")
    page.get_by_role("link", name="Back to the list of parts").click()


def test_a_minute_too_late_is_recorded_and_called_late(open_browser: Callable[..., Page], harbour: Casino) -> None:
    marketer = User.objects.get(email=demo_email(Role.MARKETING))
    now = timezone.now()
    draft = begin_draft(casino=harbour, actor=marketer, now=now)
    starts = now + timedelta(hours=23, minutes=59)
    draft.answers = dict(Terms(demo_answers("Late Draw", starts)).with_prizes((TRIP,)).answers)
    draft.save()
    page = open_browser()
    sign_in(page, "Marketing")
    page.goto(f"{PLACE}drafts/{draft.pk}/")
    expect(page.locator("main")).to_contain_text("It is too late to file in time")
    page.get_by_role("link", name="Check and file").click()
    page.get_by_role("button", name="File these terms").click()
    expect(page.get_by_role("alert")).to_contain_text("Tick the box to go on.")
    look_it_over(page, "file-late")
    page.get_by_label("I understand that this filing is late").check()
    page.get_by_role("button", name="File these terms").click()
    confirm_warning(page)
    expect(page.locator("main")).to_contain_text("It is late and is recorded as late.")
    expect(page.locator("dl").first).to_contain_text("before the start")
    look_it_over(page, "version-late")


def test_an_amendment_is_asked_for_and_approved(open_browser: Callable[..., Page], harbour: Casino) -> None:
    now = timezone.now()
    filed(harbour, now - timedelta(days=1), now - timedelta(days=5))
    page = open_browser()
    sign_in(page, "Marketing")
    page.goto(f"{PLACE}1/")
    look_it_over(page, "promotion")
    page.get_by_role("button", name="Ask for an amendment").click()
    step(page, "Who can win", Who_can_win="Gold members only.")
    save(page)
    page.get_by_role("link", name="Compare and ask for the amendment").click()
    expect(page.get_by_role("table")).to_contain_text("Gold members only.")
    look_it_over(page, "ask")
    page.get_by_label("Why the terms should change").fill("Too many entries.")
    page.get_by_role("button", name="Ask the Authority").click()
    expect(page.locator("main")).to_contain_text("The terms in force hold until it is approved.")
    public = open_browser()
    assert public.request.get("/promotions/harbour/1/2/").status == 404

    officer = open_browser()
    sign_in(officer, "Authority officer")
    officer.goto("/")
    officer.get_by_role("link", name="Decide the amendment of Spring Draw").click()
    officer.get_by_label("Approve: the new terms are in force from now on").check()
    officer.get_by_label("Reasons").fill("Fair to all who take part.")
    reauthenticate(officer)
    look_it_over(officer, "decide")
    reauthenticate(officer)
    officer.get_by_role("button", name="Record the decision").click()
    expect(officer.get_by_role("heading", level=1)).to_contain_text("In force")
    look_it_over(officer, "amended")
    public.goto("/promotions/harbour/1/")
    expect(public.locator("main")).to_contain_text("Gold members only.")
    public.goto("/promotions/harbour/1/1/")
    expect(public.locator("main")).to_contain_text("A newer version took over.")


def test_a_draw_a_winner_not_reached_and_a_denied_claim(open_browser: Callable[..., Page], harbour: Casino) -> None:
    now = timezone.now()
    filed(harbour, now - timedelta(days=25), now - timedelta(days=28))
    page = open_browser()
    sign_in(page, "Marketing")
    page.goto(f"{PLACE}1/draws/new/")
    page.get_by_role("button", name="Schedule it").click()
    page.get_by_role("link", name="1", exact=True).click()
    page.get_by_role("link", name="Record that it was held").click()
    page.get_by_label("When it was held").fill(clock(harbour, now - timedelta(hours=2)))
    page.get_by_label("How many entries were in the draw").fill("812")
    page.get_by_label("The scrutineer confirms how the draw was held").check()
    page.get_by_label("Result").fill("Ticket 17")
    look_it_over(page, "hold")
    page.get_by_role("button", name="Record the draw").click()
    confirm_warning(page)
    expect(page.locator("main")).to_contain_text("Confirmed")
    page.get_by_role("link", name="Record a winner").click()
    page.get_by_label("Hatchback").check()
    page.get_by_label("Entry that was drawn").fill("17")
    page.get_by_label("Name of the winner").fill("Pat Example")
    page.get_by_role("button", name="Record the winner").click()
    expect(page.get_by_role("link", name="P-1/D1/W1")).to_be_visible()
    look_it_over(page, "draw")
    page.get_by_role("link", name="P-1/D1/W1").click()
    page.get_by_role("link", name="Record an attempt").click()
    page.get_by_label("Telephone").check()
    page.get_by_label("When", exact=True).fill(clock(harbour, now - timedelta(hours=1)))
    page.get_by_label("No", exact=True).check()
    page.get_by_role("button", name="Record the attempt").click()
    expect(page.locator("main")).to_contain_text("Tried, not reached")
    expect(page.locator("body")).not_to_contain_text("Pat Example")
    look_it_over(page, "winner")
    deny_a_claim(page, harbour, now)


def deny_a_claim(page: Page, harbour: Casino, now: datetime) -> None:
    page.goto(f"{PLACE}1/claims/new/")
    page.get_by_label("Hatchback").check()
    page.get_by_label("When it was claimed").fill(clock(harbour, now - timedelta(hours=1)))
    page.get_by_role("button", name="Record the claim").click()
    page.get_by_role("link", name="C-1").click()
    page.get_by_role("link", name="Deny the claim").click()
    page.get_by_label("Why the claim is not met").fill("Ticket 18 was not drawn.")
    page.get_by_role("button", name="Deny the claim").click()
    expect(page.get_by_role("alert")).to_contain_text("Enter the claimant's name")
    look_it_over(page, "deny")
    page.get_by_label("Name of the claimant").fill("Robin Claimant")
    page.get_by_label("Address", exact=True).fill("12 Quay Street\nSydney")
    page.get_by_role("button", name="Deny the claim").click()
    expect(page.locator("main")).to_contain_text("Now tell the patron why.")
    expect(page.locator("body")).not_to_contain_text("Robin Claimant")
    look_it_over(page, "claim")
    dispute_it(page)
    page.goto(f"{PLACE}claims/1/")
    page.get_by_role("link", name="Letter to the claimant").click()
    expect(page).not_to_have_url(re.compile(r"/claims/1/$"))
    token = page.locator("main input[name=csrfmiddlewaretoken]").input_value()
    letter = page.request.post(page.url, form={"csrfmiddlewaretoken": token}, headers={"Referer": page.url})
    assert letter.body().startswith(b"%PDF-")
    page.goto(f"{PLACE}claims/denied/")
    expect(page.get_by_role("table")).to_contain_text("Ticket 18 was not drawn.")
    look_it_over(page, "denied")
    page.goto(PLACE)
    expect(page.locator("main")).to_contain_text("Denials whose reasons nobody was told")
    look_it_over(page, "board")
    others: tuple[Any, ...] = (
        f"{PLACE}calendar/",
        f"{PLACE}winners/",
        "/casinos/harbour/holidays/",
        "/help/promotions/",
    )
    for address in others:
        page.goto(address)
        look_it_over(page, address.strip("/").replace("/", "-"))
    postpone_it(page, harbour, now)


def dispute_it(page: Page) -> None:
    """The claimant disagrees: marketing logs a dispute, and the ladder of clause 10.11 begins."""
    page.get_by_role("link", name="Log a dispute about it").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Claim C-1 on “Hatchback”")
    expect(page.get_by_label("A prize or the terms of a promotion")).to_be_checked()
    page.get_by_label("What does the patron say?").fill("I held ticket 18.")
    expect(page.get_by_role("status")).to_contain_text("Draft saved")
    look_it_over(page, "dispute-new")
    page.get_by_role("button", name="Log the dispute").click()
    expect(page.get_by_role("heading", name="Dispute D-1")).to_be_visible()
    expect(page.locator("main")).to_contain_text("By the casino operator. Clause 10.11.")
    look_it_over(page, "dispute")


def postpone_it(page: Page, harbour: Casino, now: datetime) -> None:
    page.goto(f"{PLACE}1/")
    page.get_by_role("link", name="Postpone the promotion").click()
    page.get_by_label("When the doubt was determined").fill(clock(harbour, now - timedelta(hours=1)))
    page.get_by_label("Why its integrity is in doubt").fill("Entries were sold.")
    look_it_over(page, "postpone")
    page.get_by_role("button", name="Postpone it and tell the inspectorate").click()
    confirm_warning(page)
    expect(page.get_by_role("heading", name="Integrity")).to_be_visible()
    look_it_over(page, "postponed")
    page.goto("/promotions/harbour/1/1/")
    expect(page.locator("main")).to_contain_text("This promotion is postponed.")
    look_it_over(page, "public-postponed")
