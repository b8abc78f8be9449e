"""Display, board and tablet pages: contents, permissions, query counts."""

import re
from datetime import UTC, datetime, timedelta
from io import BytesIO

import pytest
from django.test import Client
from django.utils import timezone
from pypdf import PdfReader
from pytest_django import DjangoAssertNumQueries
from time_machine import TimeMachineFixture

from compliance.config.environment import PROJECT
from compliance.tables.closures.demo import make_demo_closures
from compliance.tables.limit_notices.demo import make_demo_notices
from compliance.tables.limit_notices.models import LimitNotice
from compliance.tables.limit_notices.services import schedule_notice
from compliance.tables.limit_notices.states import NoticeState
from compliance.tables.signs.models import Display, Refresh, Sign
from compliance.tables.signs.presentation.pdf import sign_pdf
from compliance.tables.signs.presentation.text import SignFact, time_of_day
from compliance.tables.signs.selectors import clock_of
from compliance.tables.signs.services import NewDisplay, add_display
from compliance.tables.signs.sign_clock import SILENT_AFTER
from rounds.floor.fact_values import LimitsValue
from rounds.floor.models import Table
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.tables.signs.builders import MINUTE, nsw_table
from tests.pdf_text import extract_text
from tests.rounds.floor.crew import Crew, new_table, record_table_fact

BOARD = "/casinos/harbour/signs/"
TABLE = "/casinos/harbour/signs/tables/sb-1/"
CHANGE = "/casinos/harbour/notices/tables/sb-1/change/"
CLOSE = "/casinos/harbour/closures/tables/sb-1/announce/"


@pytest.fixture
def table(crew: Crew) -> Table:
    return nsw_table(crew)


def set_up(crew: Crew, table: Table) -> NewDisplay:
    return add_display(table=table, name="Screen", actor=crew.sid, now=timezone.now())


def raised(crew: Crew, table: Table) -> LimitNotice:
    return schedule_notice(table=table, limits=LimitsValue(min=2_500, max=50_000), actor=crew.sid, now=timezone.now())


def facts_in(page: str) -> list[str]:
    return re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", page) and [
        f"{label} {value}" for label, value in re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", page)
    ]


def test_the_display_shows_the_limits_and_nothing_else(crew: Crew, table: Table) -> None:
    new = set_up(crew, table)
    page = Client().get(f"/sign/{new.token}/").content.decode()
    assert facts_in(page) == ["Minimum $5", "Maximum $500", "Super Streak $10"]
    for absent in ("Sign in", "<nav", "<form", "csrf", "cookie"):
        assert absent not in page


def test_multiples_and_steps_are_on_the_sign(crew: Crew, table: Table) -> None:
    record_table_fact(crew, table, LimitsValue(min=500, max=50_000, multiples=True, unit=1_000))
    page = Client().get(f"/sign/{set_up(crew, table).token}/").content.decode()
    assert facts_in(page) == [
        "Minimum $5",
        "Maximum $500",
        "Wagers in multiples of $5",
        "In steps of $10",
        "Super Streak $10",
    ]
    assert "In force now" not in page


def test_during_a_notice_the_limits_in_force_stay_on_the_display(crew: Crew, table: Table) -> None:
    new = set_up(crew, table)
    raised(crew, table)
    page = Client().get(f"/sign/{new.token}/").content.decode()
    assert facts_in(page)[0] == "New minimum $25"
    assert "In force now: minimum $5, maximum $500, super streak $10" in page


def test_a_display_confirms_with_its_second_request_and_says_the_time_left(crew: Crew, table: Table) -> None:
    new, notice = set_up(crew, table), raised(crew, table)
    assert notice.sign is not None
    first = Client().get(f"/sign/{new.token}/").content.decode()
    assert facts_in(first)[0] == "New minimum $25"
    assert facts_in(first)[2] in ("Time left 22 minutes", "Time left 23 minutes")
    assert not clock_of(notice.sign, timezone.now()).is_up
    [following] = re.findall(r'data-following="([^"]+)"', first)
    [without_script] = re.findall(r'<noscript><meta http-equiv="refresh" content="2; url=([^"]+)">', first)
    assert following == without_script == f"?shown={notice.sign.name}"
    assert 'data-seconds="10"' in Client().get(f"/sign/{new.token}/{following}").content.decode()
    assert clock_of(notice.sign, timezone.now()).is_up
    assert [refresh.shown for refresh in Refresh.objects.order_by("at")] == [[], [notice.sign.name]]


def test_without_a_script_the_page_says_until_when_it_is_confirmed(
    crew: Crew, table: Table, time_machine: TimeMachineFixture
) -> None:
    """Confirmed at 9:22:10 pm in the casino's time zone, for 45 seconds. After that the stylesheet hides the
    confirmation."""
    time_machine.move_to(datetime(2026, 6, 1, 11, 22, 10, tzinfo=UTC), tick=False)
    page = Client().get("/casinos/harbour/tables/sb-1/sign/").content.decode()
    assert "Confirmed 9:22 pm<noscript>. Not confirmed after 9:22:55 pm</noscript>" in page
    assert "Last confirmed 9:22 pm" in page
    stylesheet = (PROJECT / "compliance/tables/signs/static/signs/sign.css").read_text()
    assert re.findall(r"animation: [a-z-]+ 0s (\d+)s forwards", stylesheet) == ["45", "45"]
    assert timedelta(seconds=45) == SILENT_AFTER


def test_looking_by_the_code_on_paper_confirms_nothing(crew: Crew, table: Table) -> None:
    notice = raised(crew, table)
    assert notice.sign is not None
    page = Client().get(f"/casinos/harbour/tables/sb-1/sign/?shown={notice.sign.name}")
    assert facts_in(page.content.decode())[0] == "New minimum $25"
    assert not clock_of(notice.sign, timezone.now()).is_up
    assert not Refresh.objects.exists()


def test_an_ended_displays_link_is_as_absent_as_any_other(crew: Crew, table: Table) -> None:
    new = set_up(crew, table)
    supervisor = browser_of(crew.sid)
    supervisor.post(f"/casinos/harbour/signs/displays/{new.display.pk}/end/")
    assert Client().get(f"/sign/{new.token}/").status_code == 404
    assert Client().get("/sign/no-such-link/").status_code == 404


def test_a_head_request_is_no_evidence(crew: Crew, table: Table) -> None:
    new = set_up(crew, table)
    assert Client().head(f"/sign/{new.token}/").status_code == 200
    assert not Refresh.objects.exists()


def test_both_signs_on_one_screen_are_three_facts(crew: Crew, table: Table) -> None:
    new = set_up(crew, table)
    raised(crew, table)
    browser_of(crew.sid).post(CLOSE, {"players_present": "yes", "when": "soonest"})
    facts = facts_in(Client().get(f"/sign/{new.token}/").content.decode())
    assert [fact.partition(" $")[0].partition(" closes")[0] for fact in facts] == ["New minimum", "This table"]


def test_a_raise_in_nineteen_minutes_keeps_what_was_typed_and_names_the_earliest_time(crew: Crew, table: Table) -> None:
    soon = (timezone.now() + 19 * MINUTE).astimezone(crew.harbour.zone).strftime("%Y-%m-%dT%H:%M")
    page = browser_of(crew.gina).post(CHANGE, {"min": "25", "max": "500", "when": "then", "effective_at": soon})
    text = page.content.decode()
    assert page.status_code == 200
    assert "<title>Error:" in text
    assert "(clause 4.5). The earliest possible time is" in text
    assert soon in text
    assert not LimitNotice.objects.exists()


def test_one_tap_puts_the_sign_up_and_a_second_says_that_it_is(crew: Crew, table: Table) -> None:
    browser = browser_of(crew.gina)
    browser.post(CHANGE, {"min": "25", "max": "500", "when": "soonest"})
    sign = Sign.objects.get()
    assert "Sign is up" in browser.get(TABLE).content.decode()
    up = f"/casinos/harbour/signs/{sign.pk}/up/"
    assert "the sign is up" in browser.post(up, follow=True).content.decode()
    assert "up already" in browser.post(up, follow=True).content.decode()
    page = browser.get(TABLE).content.decode()
    assert "20 minutes left (clause 4.5)" in page
    assert "It was taken down" in page


def test_a_silent_display_stands_on_the_board(crew: Crew, table: Table) -> None:
    new = set_up(crew, table)
    browser = browser_of(crew.cast.ines)
    assert "Not seen yet" in browser.get(BOARD).content.decode()
    Refresh.objects.create(display=new.display, at=timezone.now() - SILENT_AFTER - timedelta(seconds=5), shown=[])
    assert "Silent" in browser.get(BOARD).content.decode()


def test_somebody_of_another_casino_finds_nothing(crew: Crew, table: Table) -> None:
    for address in (BOARD, TABLE, CHANGE, CLOSE):
        assert browser_of(crew.cast.otto).get(address).status_code == 404
        assert browser_of(crew.cast.otto).post(address).status_code == 404


def test_the_board_takes_the_same_queries_for_many_tables(
    crew: Crew, table: Table, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    raised(crew, table)
    for number in range(2, 12):
        set_up(crew, new_table(crew, f"sb-{number}"))
    browser = browser_of(crew.sid)
    browser.get(BOARD)
    with django_assert_max_num_queries(25):
        assert browser.get(BOARD).status_code == 200


@pytest.mark.parametrize(("paper", "size"), [("a4", (297, 210)), ("a5", (210, 148))])
def test_a_sign_prints_on_one_page(crew: Crew, table: Table, paper: str, size: tuple[int, int]) -> None:
    """Landscape, with the same facts as on the screen except the minutes left."""
    notice = raised(crew, table)
    sign = notice.sign
    assert sign is not None
    answer = browser_of(crew.cast.ines).get(f"/casinos/harbour/signs/{sign.pk}/{paper}.pdf")
    assert answer["Content-Type"] == "application/pdf"
    [page] = PdfReader(BytesIO(answer.content)).pages
    assert (round(page.mediabox.width * 25.4 / 72), round(page.mediabox.height * 25.4 / 72)) == size
    words = extract_text(answer.content)
    assert f"New minimum $25 From {time_of_day(notice.effective_at, crew.harbour)}" in words
    assert words.startswith("Table SB-1, Harbour Casino")
    assert "Time left" not in words
    # When it was announced, not the minute after.
    assert f"{time_of_day(sign.made_at, crew.harbour)} " in words.partition("Announced by")[2]
    assert sign_pdf(place="", facts=[], footnote="", address="https://example.com/", paper="a5").startswith(b"%PDF-")
    fact = SignFact("Minimum for Nguyễn", "$25")
    other = sign_pdf(place="海港", facts=[fact], footnote="李玲", address="https://example.com/", paper="a4")
    for words in ("海港", "Minimum for Nguy[U+1EC5]n", "李玲"):
        assert words in extract_text(other)


def test_the_demo_makers_leave_other_floors_alone(crew: Crew, table: Table) -> None:
    make_demo_notices(timezone.now())
    make_demo_closures(timezone.now())
    assert not LimitNotice.objects.exclude(state=NoticeState.SCHEDULED).exists()
    assert not Display.objects.exists()
