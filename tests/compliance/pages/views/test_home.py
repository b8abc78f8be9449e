"""The home page: each person's tasks, and links to where they work."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.test import Client
from django_otp.plugins.otp_totp.models import TOTPDevice

from compliance.core.accounts.auth.second_factor import issue_recovery_codes
from compliance.core.accounts.models import RecoveryCode
from compliance.core.accounts.roles import Role
from compliance.core.accounts.services import give_role, invite_person
from tests.compliance.core.accounts.people import LONG_AGO, Cast, browser_of, give_phone, hire, without_role_and_phone
from tests.rounds.intake.url_arguments import a_refused_line, a_round_from_paper

START = datetime(2026, 11, 16, 9, 22, tzinfo=UTC)


def home_of(browser: Client) -> str:
    page = browser.get("/")
    assert page.status_code == 200
    return page.content.decode()


def test_nothing_waits_and_it_says_so(cast: Cast) -> None:
    issue_recovery_codes(cast.ines)
    assert "Nothing waits for you." in home_of(browser_of(cast.ines))


def test_roles_by_casino_with_the_time_there(cast: Cast) -> None:
    give_role(subject=cast.mara, casino=cast.marina, role=Role.SHIFT_MANAGER, actor=cast.otto, now=LONG_AGO)
    give_role(subject=cast.mara, casino=cast.marina, role=Role.MARKETING, actor=cast.otto, now=LONG_AGO)
    with time_machine.travel(START, tick=False):
        page = home_of(browser_of(cast.mara))
    for words in ("Harbour Casino", "16 Nov 2026, 8:22 pm AEDT", "Marina Casino", "16 Nov 2026, 5:22 pm UTC+8"):
        assert words in page
    assert "Marketing, Shift manager" in page


@pytest.mark.parametrize(("left", "is_asked"), [(4, False), (3, True), (1, True), (0, True)])
def test_few_recovery_codes(cast: Cast, left: int, is_asked: bool) -> None:
    issue_recovery_codes(cast.ines)
    used = RecoveryCode.objects.values_list("pk", flat=True)[: 10 - left]
    RecoveryCode.objects.filter(pk__in=list(used)).update(used_at=START)
    page = home_of(browser_of(cast.ines))
    assert ("Make new recovery codes" in page) is is_asked
    assert (f"You have {left} recovery code" in page) is is_asked


def test_somebody_without_a_role_is_offered_a_second_factor_until_there_is_one(cast: Cast) -> None:
    assert "Set up a second factor" in home_of(browser_of(without_role_and_phone(cast)))
    TOTPDevice.objects.create(user=cast.mara, name="Phone")
    assert "Set up a second factor" not in home_of(browser_of(cast.mara))


def test_an_administrator_sees_what_people_wait_for_and_nobody_else_does(cast: Cast) -> None:
    hire("nora", cast.harbour, Role.GAMES_SUPERVISOR, by=cast.ada)
    for name, days in (("pia", 8), ("quin", 1), ("rosa", 2)):
        invite_person(
            email=f"{name}@example.com",
            name=name,
            casino=cast.harbour,
            role=Role.GAMES_SUPERVISOR,
            actor=cast.ada,
            now=START - timedelta(days=days),
        )
    with time_machine.travel(START, tick=False):
        for _ in range(5):
            Client().post("/sign-in/", {"email": cast.mara.email, "password": "wrong"})
        page = home_of(browser_of(cast.ada))
        elsewhere = [home_of(browser_of(person)) for person in (cast.ines, cast.otto)]
    waiting = (
        "1 sign-in locked",
        "1 invitation ran out",
        "2 invitations not yet accepted",
        "1 account without the second factor its role needs",
    )
    for words in waiting:
        assert words in page
        assert not any(words in other for other in elsewhere)


def test_the_menu_shows_people_to_administrators_only(cast: Cast) -> None:
    assert 'href="/people/"' in home_of(browser_of(cast.ada))
    assert 'href="/people/"' not in home_of(browser_of(cast.ines))
    for person in (cast.ada, cast.ines, cast.mara):
        assert 'href="/account/"' in home_of(browser_of(person))


def test_what_waits_at_a_casino_stands_on_its_card(cast: Cast) -> None:
    hire("nora", cast.harbour, Role.GAMES_SUPERVISOR, by=cast.ada)
    page = home_of(browser_of(cast.ada))
    card = page[page.index('aria-labelledby="at-harbour"') :]
    assert "1 account without the second factor its role needs" in card[: card.index("</section>")]


def test_each_card_leads_where_the_roles_held_there_open_a_page(cast: Cast) -> None:
    floor = 'href="/casinos/harbour/floor/"'
    assert floor in home_of(browser_of(cast.ines))
    for person in (cast.ada, cast.mara, cast.otto):
        assert floor not in home_of(browser_of(person))


def test_the_promotions_are_one_step_from_the_card_of_those_who_file_them(cast: Cast) -> None:
    card = home_of(browser_of(cast.mara)).partition('aria-labelledby="at-harbour"')[2].partition("</section>")[0]
    assert '<a class="button button-secondary" href="/casinos/harbour/promotions/">Promotions' in card
    for person in (cast.ada, cast.otto):
        assert "/casinos/harbour/promotions/" not in home_of(browser_of(person))


def test_refused_lines_and_rounds_from_paper_wait_for_those_of_the_floor(cast: Cast) -> None:
    sven = hire("sven", cast.harbour, Role.CASINO_SUPERVISOR, by=cast.ada)
    a_refused_line(cast.harbour, cast.ada)
    a_round_from_paper(cast.harbour, sven)
    page = home_of(browser_of(cast.ines))
    assert '<a href="/casinos/harbour/floor/quarantine/">1 line in quarantine</a>' in page
    assert '<a href="/casinos/harbour/floor/paper/">1 round from paper to confirm</a>' in page
    assert "in quarantine" not in home_of(browser_of(cast.otto))


def test_who_keeps_the_holidays_is_led_there(cast: Cast) -> None:
    """Deadlines of promotions go by them; an administrator, who keeps them, cannot open the board of promotions."""
    clara = hire("clara", cast.harbour, Role.COMPLIANCE_OFFICER, by=cast.ada)
    give_phone(clara)
    for person in (cast.ada, clara):
        browser = browser_of(person)
        assert 'href="/casinos/harbour/holidays/change/"' in home_of(browser)
        assert browser.get("/casinos/harbour/holidays/change/").status_code == 200
    assert "/holidays/" not in home_of(browser_of(cast.mara)), "marketing reads them from the board"
