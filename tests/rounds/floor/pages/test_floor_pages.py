"""The floor's pages: show any instant, record facts, refuse breaches, retract; lists of any size."""

import base64
from typing import Any

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from compliance.core.accounts.models import User
from rounds.floor.fact_catalogue import FACT_KINDS
from rounds.floor.fact_values import (
    CurrencyValue,
    HolidaysValue,
    LimitsValue,
    PostedOddsValue,
    ShiftsValue,
    WagersOfferedValue,
)
from rounds.floor.models import ControllerKey, Fact
from rounds.floor.pages.fact_forms import FORM_BY_FACT
from rounds.floor.selectors import casino_facts_at, facts_at
from tests.compliance.core.accounts.people import browser_of, sign_off
from tests.compliance.core.web.confirming import post_anyway, post_confirmed
from tests.rounds.floor.crew import (
    HOUR,
    OPENING,
    PUBLIC_KEY,
    SECRET,
    Crew,
    new_controller,
    new_table,
    record_table_fact,
    table_under,
)

FLOOR = "/casinos/harbour/floor"
NOW = {"when": "now", "note": ""}


def page(browser: Client, address: str) -> str:
    response = browser.get(f"{FLOOR}{address}")
    assert response.status_code == 200
    return response.content.decode()


def send(person: User, address: str, **typed: Any) -> tuple[int, str]:
    response = browser_of(person).post(f"{FLOOR}{address}", typed)
    return response.status_code, response.content.decode()


def insert(statement: str, parameters: list[Any]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)


class TestOneTableAtAnyInstant:
    def test_what_held_then_and_what_holds_now(self, crew: Crew) -> None:
        table = table_under(crew, "nsw-sic-bo")
        record_table_fact(crew, None, CurrencyValue(code="AUD"))
        record_table_fact(crew, table, LimitsValue(min=1_000, max=100_000))
        record_table_fact(crew, table, LimitsValue(min=2_500, max=100_000), OPENING + 2 * HOUR)
        browser = browser_of(crew.gina)
        # The opening was at noon in Sydney (2 am UTC); the second limits took effect there at 2 pm.
        then = page(browser, "/tables/sb-1/?at=2026-06-01T13:59")
        assert "What held on" in then
        assert "1 Jun 2026, 1:59 pm AEST" in then
        assert "$10.00 AUD to $1,000.00 AUD" in then
        assert "$25.00" not in then
        now = page(browser, "/tables/sb-1/")
        assert "What holds now" in now
        assert "$25.00 AUD to $1,000.00 AUD" in now
        assert "Sid, <a href" in now
        before = page(browser, "/tables/sb-1/?at=2026-05-01T12:00")
        assert "No approved rules were in force" in before

    def test_a_time_that_never_was_is_asked_about_and_loses_nothing(self, crew: Crew) -> None:
        new_table(crew)
        shown = page(browser_of(crew.gina), "/tables/sb-1/?at=2026-10-04T02:30")
        assert "Clocks go forward over this time" in shown
        assert 'value="2026-10-04T02:30"' in shown

    def test_who_only_reads_is_offered_nothing_to_change(self, crew: Crew) -> None:
        table_under(crew, "nsw-sic-bo")
        assert "facts/limits/history/" in page(browser_of(crew.gina), "/tables/sb-1/")
        assert 'facts/limits/"' not in page(browser_of(crew.gina), "/tables/sb-1/")
        assert 'facts/limits/"' in page(browser_of(crew.sid), "/tables/sb-1/")

    def test_facts_that_the_rules_do_not_know_are_not_asked_for(self, crew: Crew) -> None:
        table_under(crew, "mbs-3-card-sic-bo")
        shown = page(browser_of(crew.sid), "/tables/sb-1/")
        assert "Decks" in shown
        assert "Super Streak amount" not in shown
        assert "Posted odds" not in shown


class TestStating:
    def test_limits_are_recorded_with_person_and_entry(self, crew: Crew) -> None:
        table = table_under(crew, "nsw-sic-bo")
        status, _ = send(crew.sid, "/tables/sb-1/facts/limits/", min="10", max="1,000", unit="5", **NOW)
        assert status == 302
        fact = facts_at(table, timezone.now()).rows["limits"]
        assert fact.parse_value() == LimitsValue(min=1_000, max=100_000, unit=500)
        assert fact.recorded_by == crew.sid

    def test_a_higher_minimum_is_recorded_once_the_warning_was_read(self, crew: Crew) -> None:
        table = table_under(crew, "nsw-sic-bo")
        record_table_fact(crew, table, LimitsValue(min=1_000, max=100_000))
        typed = {"min": "25", "max": "1000", **NOW}
        _, shown = send(crew.sid, "/tables/sb-1/facts/limits/", **typed)
        assert "without a sign; 20 min of notice are due" in shown
        assert 'value="25"' in shown
        assert Fact.objects.filter(name="limits").count() == 1
        post_confirmed(browser_of(crew.sid), f"{FLOOR}/tables/sb-1/facts/limits/", typed, "LIMIT-NO-SIGN")
        assert facts_at(table, timezone.now()).get(LimitsValue) == LimitsValue(min=2_500, max=100_000)

    def test_a_minimum_above_the_maximum_is_stopped_and_nothing_typed_is_lost(self, crew: Crew) -> None:
        table_under(crew, "nsw-sic-bo")
        status, shown = send(crew.sid, "/tables/sb-1/facts/limits/", min="50", max="20", when="now", note="Why not")
        assert status == 200
        assert "The minimum is above the maximum" in shown
        assert all(words in shown for words in ('value="50"', 'value="20"', "Why not"))
        assert not Fact.objects.filter(name="limits").exists()

    def test_posted_odds_below_the_minimum_are_stopped_at_their_field(self, crew: Crew) -> None:
        table = table_under(crew, "licensee-sic-bo")
        address = "/tables/sb-1/facts/posted-odds/"
        status, shown = send(crew.sid, address, **{"row-total-4": "45 to 1", "row-triple": "160 to 1"}, **NOW)
        assert status == 200
        assert "total:4 is posted at 45 to 1, below the minimum of 50 to 1 in clause 4(b)" in shown
        assert 'href="#id_row-total-4"' in shown
        assert 'value="160 to 1"' in shown
        status, _ = send(crew.sid, address, **{"row-total-4": "60 to 1"}, **NOW)
        assert status == 302
        assert facts_at(table, timezone.now()).get(PostedOddsValue) == PostedOddsValue(odds={"total:4": "60 to 1"})

    def test_a_single_number_is_posted_at_three_levels_or_not_at_all(self, crew: Crew) -> None:
        table = table_under(crew, "licensee-sic-bo")
        address, levels = "/tables/sb-1/facts/posted-odds/", ("row-single-one", "row-single-two", "row-single-three")
        _, shown = send(crew.sid, address, **{levels[0]: "1 to 1"}, **NOW)
        assert "Enter these odds too" in shown
        all_three = dict(zip(levels, ("1 to 1", "2 to 1", "3 to 1"), strict=True))
        send(crew.sid, address, **all_three, **NOW)
        posted = facts_at(table, timezone.now()).get(PostedOddsValue)
        assert posted is not None
        assert posted.odds["single:6"] == ("1 to 1", "2 to 1", "3 to 1")

    def test_super_streak_without_its_screen_is_stopped(self, crew: Crew) -> None:
        table = table_under(crew, "nsw-sic-bo")
        address = "/tables/sb-1/facts/wagers-offered/"
        _, shown = send(crew.sid, address, wagers=["even", "streak"], **NOW)
        assert "(clause 6.1)" in shown
        equipment = {"layout": "C", "screen": "lcd", "touch_screen": "on", "shaker": "none"}
        send(crew.sid, "/tables/sb-1/facts/equipment/", **equipment, **NOW)
        assert send(crew.sid, address, wagers=["even", "streak"], **NOW)[0] == 302
        assert facts_at(table, timezone.now()).get(WagersOfferedValue) == WagersOfferedValue(wagers=("even", "streak"))

    def test_what_is_recorded_late_says_why_and_a_breach_of_then_is_confirmed(self, crew: Crew) -> None:
        table = table_under(crew, "licensee-sic-bo")
        typed = {"row-total-4": "45 to 1", "when": "then", "effective_at": "2026-06-01T15:00"}
        _, shown = send(crew.sid, "/tables/sb-1/facts/posted-odds/", **typed)
        assert "Say why this is recorded late" in shown
        _, shown = send(crew.sid, "/tables/sb-1/facts/posted-odds/", note="Seen on the recording.", **typed)
        assert "at least 50 to 1 must be offered" in shown
        recorded = {"note": "Seen.", **typed}
        post_anyway(browser_of(crew.sid), f"{FLOOR}/tables/sb-1/facts/posted-odds/", recorded)
        assert facts_at(table, OPENING + 3 * HOUR).get(PostedOddsValue) == PostedOddsValue(odds={"total:4": "45 to 1"})

    def test_the_casinos_own_facts(self, crew: Crew) -> None:
        for fact, typed in (
            ("currency", {"code": "AUD"}),
            ("gaming-day", {"cut_over": "06:00"}),
            ("shifts", {"shifts": "Day 06:00\nSwing shift 14:00"}),
            ("holidays", {"days": "2026-12-25 Christmas Day\n2026-12-26 Boxing Day"}),
        ):
            assert send(crew.cora, f"/casino/facts/{fact}/", **typed, **NOW)[0] == 302
        facts = casino_facts_at(crew.harbour, timezone.now())
        shifts, holidays = facts.get(ShiftsValue), facts.get(HolidaysValue)
        assert shifts is not None
        assert [(shift.name, shift.starts) for shift in shifts.shifts] == [("Day", "06:00"), ("Swing shift", "14:00")]
        assert holidays is not None
        assert [holiday.name for holiday in holidays.days] == ["Christmas Day", "Boxing Day"]
        shown = page(browser_of(crew.gina), "/casino/")
        assert "Gaming day" in shown
        assert "26 Dec 2026: Boxing Day" in shown

    @pytest.mark.parametrize(
        ("fact", "typed"), [("shifts", "Day at six"), ("holidays", "Christmas"), ("shifts", "Day")]
    )
    def test_a_line_that_cannot_be_read_is_named(self, crew: Crew, fact: str, typed: str) -> None:
        field = "days" if fact == "holidays" else fact
        status, shown = send(crew.cora, f"/casino/facts/{fact}/", **{field: typed}, **NOW)
        assert status == 200
        assert f'href="#id_{field}"' in shown
        assert typed in shown
        assert not Fact.objects.exists()

    def test_every_fact_of_the_catalogue_has_a_form_that_opens(self, crew: Crew) -> None:
        assert set(FORM_BY_FACT) == set(FACT_KINDS)
        table_under(crew, "nsw-sic-bo")
        browser = browser_of(crew.sid)
        for kind in FACT_KINDS.values():
            if kind.subject == "table" and kind.name != "posted-odds":
                assert kind.hint[:20] in page(browser, f"/tables/sb-1/facts/{kind.name}/")

    def test_the_form_starts_with_what_holds(self, crew: Crew) -> None:
        table = table_under(crew, "licensee-sic-bo")
        record_table_fact(
            crew, table, PostedOddsValue(odds={"single:2": ("1 to 1", "2 to 1", "4 to 1"), "total:4": "60 to 1"})
        )
        shown = page(browser_of(crew.sid), "/tables/sb-1/facts/posted-odds/")
        assert 'value="60 to 1"' in shown


def test_taking_back_says_why_and_stays_in_the_history(crew: Crew) -> None:
    table = table_under(crew, "nsw-sic-bo")
    fact = record_table_fact(crew, table, LimitsValue(min=1_000, max=100_000))
    assert "Say why" in send(crew.sid, f"/facts/{fact.pk}/take-back/", reason="")[1]
    assert send(crew.sid, f"/facts/{fact.pk}/take-back/", reason="Another table was meant.")[0] == 302
    shown = page(browser_of(crew.gina), "/tables/sb-1/facts/limits/history/")
    assert "Taken back by Sid: Another table was meant." in shown
    assert browser_of(crew.sid).get(f"{FLOOR}/facts/{fact.pk}/take-back/").status_code == 404


class TestKeys:
    def test_two_people_make_a_key_count(self, crew: Crew) -> None:
        new_controller(crew)
        pasted = base64.b64encode(PUBLIC_KEY).decode()
        assert send(crew.cora, "/controllers/box-1/keys/propose/", public_key=pasted)[0] == 302
        key = ControllerKey.objects.get()
        address = f"/controllers/box-1/keys/{key.key_id}/approve/"
        assert "another person has to do what you are about to do" in send(crew.cora, address, **sign_off(crew.cora))[1]
        assert "Enter your password" in send(crew.cast.ada, address)[1]
        assert send(crew.cast.ada, address, **sign_off(crew.cast.ada))[0] == 302
        assert "Active" in page(browser_of(crew.gina), "/controllers/box-1/")
        revoking = f"/controllers/box-1/keys/{key.key_id}/revoke/"
        assert send(crew.cora, revoking, reason="The box was opened.")[0] == 302
        assert "Revoked" in page(browser_of(crew.gina), "/controllers/box-1/")

    def test_a_private_key_is_not_sent_back_to_the_browser(self, crew: Crew) -> None:
        new_controller(crew)
        pem = SECRET.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
        _, shown = send(crew.cora, "/controllers/box-1/keys/propose/", public_key=pem)
        assert "This is a private key" in shown
        assert pem.splitlines()[1] not in shown
        assert not ControllerKey.objects.exists()

    def test_a_controller_is_registered_and_given_its_tables(self, crew: Crew) -> None:
        new_table(crew)
        assert send(crew.cast.ada, "/register-controller/", name="Box 1", slug="box-1")[0] == 302
        assert send(crew.cast.ada, "/controllers/box-1/tables/give/", table="sb-1")[0] == 302
        shown = page(browser_of(crew.cast.ada), "/controllers/box-1/")
        assert "Table SB-1" in shown
        assert "Still" in shown
        assert "/casinos/harbour/ledger/" not in shown, "an administrator does not read the ledger"
        assert "/casinos/harbour/ledger/" in page(browser_of(crew.cora), "/controllers/box-1/")


class TestListsOfAnySize:
    def add(self, crew: Crew, first: int, last: int) -> None:
        """Rows as a migration of an old floor would leave them: only the list is looked at here."""
        insert(
            "INSERT INTO floor_table (casino_id, slug, name, added_by_id, added_by_name, added_at, log, entry_index) "
            "SELECT %s, 't-' || n, 'Table ' || n, %s, 'Sid', %s, 'harbour', 10000 + n FROM generate_series(%s, %s) n",
            [crew.harbour.pk, crew.sid.pk, OPENING, first, last],
        )

    def queries(self, browser: Client, address: str) -> int:
        with CaptureQueriesContext(
            connection,
        ) as captured:
            page(browser, address)
        return len(captured)

    def test_no_table_one_table_ten_thousand_tables(self, crew: Crew) -> None:
        browser = browser_of(crew.gina)
        assert "There are no tables yet." in page(browser, "/tables/")
        self.add(crew, 0, 0)
        few = self.queries(browser, "/tables/")
        self.add(crew, 1, 9_999)
        assert self.queries(browser, "/tables/") == few
        assert "of 10,000" in page(browser, "/tables/?page=7")
        found = page(browser, "/tables/?q=9998")
        assert "Table 9998" in found
        assert "Table 9997" not in found

    def test_ten_thousand_facts_and_terminals(self, crew: Crew) -> None:
        table = table_under(crew, "rws-sic-bo-etg")
        insert(
            "INSERT INTO floor_fact (casino_id, table_id, name, value, effective_at, note, source, recorded_by_id, "
            "recorded_by_name, recorded_at, controller, log, entry_index) SELECT %s, %s, 'limits', "
            "jsonb_build_object('min', 1000 + n, 'max', 100000), %s + n * interval '1 min', '', 'person', %s, 'Sid', "
            "%s, '', 'harbour', 20000 + n FROM generate_series(0, 9999) n",
            [crew.harbour.pk, table.pk, OPENING, crew.sid.pk, OPENING],
        )
        insert(
            "INSERT INTO floor_terminal (table_id, slug, added_by_id, added_by_name, added_at, log, entry_index) "
            "SELECT %s, 't-' || n, %s, 'Sid', %s, 'harbour', 40000 + n FROM generate_series(1, 10000) n",
            [table.pk, crew.sid.pk, OPENING],
        )
        browser = browser_of(crew.gina)
        assert "$109.99" in page(browser, "/tables/sb-1/")
        assert "of 10,000" in page(browser, "/tables/sb-1/facts/limits/history/")
        assert "of 10,000" in page(browser, "/tables/sb-1/terminals/")
        assert self.queries(browser, "/tables/sb-1/facts/limits/history/") < 30
        assert self.queries(browser, "/tables/sb-1/terminals/") < 30
