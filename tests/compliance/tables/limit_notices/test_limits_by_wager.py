"""Limits by type of wager: the form, the sign that a higher minimum of one type needs, the display and the paper."""

import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from time_machine import TimeMachineFixture

from compliance.audit.models import Finding
from compliance.audit.run.worker import audit_log
from compliance.tables.limit_notices.errors import NoticeRefusal
from compliance.tables.limit_notices.models import LimitNotice
from compliance.tables.limit_notices.services import schedule_notice
from compliance.tables.limit_notices.states import NoticeState
from compliance.tables.signs.presentation.text import paper_limit_lines, sign_facts, time_of_day
from compliance.tables.signs.selectors import clock_of
from rounds.floor.fact_values import BetLimitsValue, LimitsValue
from rounds.floor.models import Table
from rounds.floor.selectors import facts_at
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.core.web.confirming import shown_prediction
from tests.compliance.tables.signs.builders import (
    MINUTE,
    SECOND,
    START,
    entries_of,
    nsw_table,
    put_up,
    reload_notice,
    run_workers,
)
from tests.compliance.tables.signs.test_pages import facts_in
from tests.compliance.tables.signs.test_sign_display import report
from tests.pdf_text import extract_text
from tests.rounds.floor.crew import Crew, record_table_fact, refusal_of, speaking_controller, table_under
from tests.rounds.intake.controller_client import Feeder

TRIPLES = [f"triple:{face}" for face in range(1, 7)]
NEW = "/casinos/harbour/notices/tables/sb-1/change/"


def limits(**members: Any) -> LimitsValue:
    """$5 to $500, and other limits on all Specific Triples."""
    own = BetLimitsValue(**members)
    return LimitsValue(min=500, max=50_000, by_bet=dict.fromkeys(TRIPLES, own))


def change(crew: Crew, table: Table, to: LimitsValue, **rest: Any) -> LimitNotice:
    said: dict[str, Any] = {"actor": crew.sid, "now": START} | rest
    return schedule_notice(table=table, limits=to, **said)


@pytest.mark.parametrize(
    ("to", "needs_sign"),
    [
        (limits(min=501), True),
        (limits(min=500), False),
        (limits(min=499), False),
        (limits(max=10_000), False),
        (limits(min=501, max=10_000), True),
    ],
)
def test_only_a_higher_minimum_of_a_type_needs_a_sign(crew: Crew, to: LimitsValue, needs_sign: bool) -> None:
    table = nsw_table(crew)
    notice = change(crew, table, to)
    assert (notice.sign is not None) is needs_sign
    assert notice.state == (NoticeState.SCHEDULED if needs_sign else NoticeState.IN_FORCE)
    assert notice.limits == to
    assert (facts_at(table, START + SECOND).get(LimitsValue) == to) is not needs_sign


def test_leaving_out_a_lower_minimum_of_a_type_needs_a_sign(crew: Crew) -> None:
    table = nsw_table(crew)
    change(crew, table, limits(min=200))
    assert change(crew, table, LimitsValue(min=500, max=50_000), now=START + MINUTE).sign is not None


def test_the_sign_states_the_type_and_the_new_limits_come_into_force(crew: Crew) -> None:
    table = nsw_table(crew)
    notice = change(crew, table, limits(min=1_000, max=10_000), effective_at=START + 22 * MINUTE)
    sign = put_up(crew, notice.sign, START + 2 * MINUTE)
    assert [f"{fact.label} {fact.value}" for fact in sign_facts(sign)] == [
        "New minimum, Specific Triples $10",
        "New maximum, Specific Triples $100",
        "From 5:22 pm",
    ]
    run_workers(START + 22 * MINUTE)
    assert reload_notice(notice).state == NoticeState.IN_FORCE
    assert facts_at(table, START + 22 * MINUTE).get(LimitsValue) == limits(min=1_000, max=10_000)
    [announced], [shown] = entries_of("limit-notice"), entries_of("sign-shown")
    own = {bet: {"min": 1_000, "max": 10_000} for bet in TRIPLES}
    assert announced.content()["limits"]["by_bet"] == shown.content()["body"]["by_bet"] == own
    assert list(audit_log(table.casino))
    assert not Finding.objects.exists()


def test_a_sign_of_a_type_that_stood_too_short_changes_nothing(crew: Crew) -> None:
    table = nsw_table(crew)
    notice = change(crew, table, limits(min=1_000), effective_at=START + 22 * MINUTE)
    put_up(crew, notice.sign, START + 2 * MINUTE + SECOND)
    run_workers(START + 22 * MINUTE)
    assert reload_notice(notice).state == NoticeState.LAPSED
    assert facts_at(table, START + 23 * MINUTE).get(LimitsValue) == LimitsValue(min=500, max=50_000)


def test_entries_without_types_are_as_before(crew: Crew) -> None:
    change(crew, nsw_table(crew), LimitsValue(min=400, max=50_000))
    [announced] = entries_of("limit-notice")
    assert announced.content()["limits"] == {"min": 400, "max": 50_000, "multiples": False, "unit": None}
    [fact] = [entry for entry in entries_of("table-facts") if entry.content()["value"].get("min") == 400]
    assert fact.content()["value"] == {"min": 400, "max": 50_000, "multiples": False, "unit": None}


def test_a_minimum_of_a_type_above_its_maximum_is_refused(crew: Crew) -> None:
    table = nsw_table(crew)
    refused = refusal_of(lambda: change(crew, table, limits(max=499)))
    assert isinstance(refused, NoticeRefusal)
    assert refused.detail == "Specific Triples: the minimum is above the maximum."
    assert change(crew, table, limits(max=500)).state == NoticeState.IN_FORCE


class TestPages:
    def typed(self, **members: Any) -> dict[str, Any]:
        return {"min": "5", "max": "500", "when": "soonest", "note": "", **members}

    def test_the_fields_are_folded_away_and_optional(self, crew: Crew) -> None:
        table, browser = nsw_table(crew), browser_of(crew.sid)
        page = browser.get(NEW).content.decode()
        assert "<summary>Other limits for some types of wager</summary>" in page
        assert '<details class="folded-fields">' in page
        assert page.index("folded-fields") < page.index("Specific Triples, maximum")
        assert browser.post(NEW, self.typed(max="600")).status_code == 302
        assert facts_at(table, timezone.now()).get(LimitsValue) == LimitsValue(min=500, max=60_000)

    def test_limits_of_a_type_are_scheduled_shown_and_kept(self, crew: Crew) -> None:
        table, browser = nsw_table(crew), browser_of(crew.sid)
        posted = browser.post(NEW, self.typed(**{"high-triple": "100"}), follow=True)
        assert posted.status_code == 200
        assert facts_at(table, timezone.now()).get(LimitsValue) == limits(max=10_000)
        [announced] = entries_of("limit-notice")
        of_triples = {f"triple:{face}": {"max": 10_000} for face in range(1, 7)}
        assert announced.content()["limits"]["by_bet"] == of_triples
        page = browser.get(NEW).content.decode()
        assert '<details class="folded-fields" open>' in page
        [field] = re.findall(r'<input[^>]*name="high-triple"[^>]*>', page)
        assert 'value="100' in field
        notice = LimitNotice.objects.get()
        assert "$5 to $500; Specific Triples $5 to $100" in browser.get("/casinos/harbour/notices/").content.decode()
        detail = browser.get(f"/casinos/harbour/notices/{notice.pk}/").content.decode()
        assert "Specific Triples $5 to $100" in detail
        assert (
            "Specific Triples: $5.00 AUD to $100.00 AUD"
            in browser.get("/casinos/harbour/floor/tables/sb-1/").content.decode()
        )

    def test_a_lower_limit_that_waits_for_the_sign_of_a_raise_is_not_promised_at_once(self, crew: Crew) -> None:
        table, browser = nsw_table(crew), browser_of(crew.sid)
        page = browser.get(NEW).content.decode()
        assert "take effect at once" not in page
        assert "if the minimum of any wager rises, the others wait for the sign too" in page
        posted = browser.post(NEW, self.typed(min="3", **{"low-triple": "10"}), follow=True).content.decode()
        notice = LimitNotice.objects.get()
        assert f"all of it changes at {time_of_day(notice.effective_at, crew.harbour)}." in posted
        assert facts_at(table, timezone.now()).get(LimitsValue) == LimitsValue(min=500, max=50_000)

    def test_a_wrong_amount_opens_the_fields(self, crew: Crew) -> None:
        nsw_table(crew)
        page = browser_of(crew.sid).post(NEW, self.typed(**{"low-big": "ten"})).content.decode()
        assert '<details class="folded-fields" open>' in page
        assert 'href="#id_low-big"' in page

    def test_boxes_of_a_type_with_different_limits_are_kept_unless_typed_over(self, crew: Crew) -> None:
        table, browser = nsw_table(crew), browser_of(crew.sid)
        some = {"total:4": BetLimitsValue(max=1_000), "total:17": BetLimitsValue(max=2_000)}
        record_table_fact(crew, table, LimitsValue(min=500, max=50_000, by_bet=some))
        browser.post(NEW, self.typed(max="600"))
        assert facts_at(table, timezone.now()).get(LimitsValue) == LimitsValue(min=500, max=60_000, by_bet=some)
        browser.post(NEW, self.typed(max="600", **{"high-total": "30"}))
        held = facts_at(table, timezone.now()).get(LimitsValue)
        assert held is not None
        assert {own.max for own in held.limits_by_bet.values()} == {3_000}
        assert len(held.limits_by_bet) == 14

    def test_the_fact_form_has_them_too(self, crew: Crew) -> None:
        table = table_under(crew, "skycity-big-and-small")
        address = "/casinos/harbour/floor/tables/sb-1/facts/limits/"
        typed = {"min": "5", "max": "500", "when": "now", "low-any-triple": "10"}
        assert browser_of(crew.sid).post(address, typed).status_code == 302
        held = facts_at(table, timezone.now()).get(LimitsValue)
        assert held == LimitsValue(min=500, max=50_000, by_bet={"triple:any": BetLimitsValue(min=1_000)})

    def test_without_a_type_the_forms_write_entries_as_before(self, crew: Crew) -> None:
        nsw_table(crew)
        browser = browser_of(crew.sid)
        assert browser.post(NEW, self.typed(max="600")).status_code == 302
        typed = {"min": "5", "max": "700", "when": "now"}
        assert browser.post("/casinos/harbour/floor/tables/sb-1/facts/limits/", typed).status_code == 302
        [announced] = entries_of("limit-notice")
        assert announced.content()["limits"] == {"min": 500, "max": 60_000, "multiples": False, "unit": None}
        stated = [entry.content() for entry in entries_of("table-facts")]
        by_maximum = {each["value"]["max"]: each["value"] for each in stated if each["name"] == "limits"}
        for cents in (60_000, 70_000):
            assert by_maximum[cents] == {"min": 500, "max": cents, "multiples": False, "unit": None}

    def test_the_fact_form_warns_of_a_higher_minimum_of_a_type(self, crew: Crew) -> None:
        table = nsw_table(crew)
        address = "/casinos/harbour/floor/tables/sb-1/facts/limits/"
        typed = {"min": "5", "max": "500", "when": "now", "low-any-triple": "5.01"}
        before = facts_at(table, timezone.now()).get(LimitsValue)
        warned = browser_of(crew.sid).post(address, typed)
        assert [(each.code, each.clause) for each in shown_prediction(warned).findings] == [("LIMIT-NO-SIGN", "4.5")]
        sentence = "The minimum became $5.01 on Any Triple without a sign; 20 min of notice are due."
        assert sentence in warned.content.decode()
        assert facts_at(table, timezone.now()).get(LimitsValue) == before


class TestSign:
    def test_the_display_shows_limits_by_type(self, crew: Crew) -> None:
        table = nsw_table(crew)
        record_table_fact(crew, table, limits(min=1_000, max=10_000))
        page = Client().get("/casinos/harbour/tables/sb-1/sign/").content.decode()
        assert facts_in(page) == ["Minimum $5", "Maximum $500", "Specific Triples $10 to $100", "Super Streak $10"]

    def test_many_types_use_the_small_print(self, crew: Crew) -> None:
        table = nsw_table(crew)
        by_bet = {bet: BetLimitsValue(max=1_000 * place) for place, bet in enumerate(["small", "big", "triple:any"], 1)}
        record_table_fact(crew, table, LimitsValue(min=500, max=50_000, by_bet=by_bet))
        page = Client().get("/casinos/harbour/tables/sb-1/sign/").content.decode()
        assert '<main class="facts-many">' in page
        assert facts_in(page)[2:5] == ["Small $5 to $10", "Big $5 to $20", "Any Triple $5 to $30"]

    def test_during_a_notice_both_stand_on_the_display(self, crew: Crew) -> None:
        table = nsw_table(crew)
        now = timezone.now()
        record_table_fact(crew, table, limits(max=10_000))
        change(crew, table, limits(min=1_000, max=10_000), now=now, effective_at=now + 30 * MINUTE)
        page = Client().get("/casinos/harbour/tables/sb-1/sign/").content.decode()
        assert facts_in(page)[0] == "New minimum, Specific Triples $10"
        assert [fact.split()[0] for fact in facts_in(page)[1:]] == ["From", "Time"]
        assert "In force now: minimum $5, maximum $500, specific triples $5 to $100, super streak $10" in page
        assert ": minimum $5, maximum $500, specific triples $10 to $100</p>" in page

    def test_table_and_type_rise_together(self, crew: Crew) -> None:
        table = nsw_table(crew)
        to = LimitsValue(min=1_000, max=50_000, by_bet={"triple:any": BetLimitsValue(min=2_500)})
        notice = change(crew, table, to, effective_at=START + 22 * MINUTE)
        assert notice.sign is not None
        assert [f"{fact.label} {fact.value}" for fact in sign_facts(notice.sign)] == [
            "New minimum $10",
            "New minimum, Any Triple $25",
            "From 5:22 pm",
        ]

    def test_a_raise_only_after_another_announced_change_states_all_minimums(self, crew: Crew) -> None:
        """Triples are at $10, go down to $5 in ten minutes, and up to $10 again in half an hour."""
        table = nsw_table(crew)
        record_table_fact(crew, table, limits(min=1_000))
        change(crew, table, limits(min=500), effective_at=START + 10 * MINUTE)
        notice = change(crew, table, limits(min=1_000, max=20_000), effective_at=START + 30 * MINUTE)
        assert notice.sign is not None
        assert [f"{fact.label} {fact.value}" for fact in sign_facts(notice.sign)] == [
            "New minimum $5",
            "New minimum, Specific Triples $10",
            "New maximum, Specific Triples $200",
            "From 5:30 pm",
        ]

    def test_a_limit_that_is_lowered_with_a_raise_is_stated_too(self, crew: Crew) -> None:
        table = nsw_table(crew)
        some = {"small": BetLimitsValue(min=400), "big": BetLimitsValue(max=10_000)}
        record_table_fact(crew, table, LimitsValue(min=500, max=50_000, by_bet=some))
        to = LimitsValue(min=300, max=40_000, by_bet={**some, "triple:any": BetLimitsValue(min=2_500)})
        notice = change(crew, table, to, effective_at=START + 22 * MINUTE)
        assert notice.sign is not None
        assert [f"{fact.label} {fact.value}" for fact in sign_facts(notice.sign)] == [
            "New minimum $3",
            "New minimum, Any Triple $25",
            "New maximum $400",
            "From 5:22 pm",
        ]
        assert paper_limit_lines(notice.sign, START) == [
            "Until 5:22 pm: minimum $5, maximum $500, small $4 to $500, big $5 to $100, super streak $10",
            "From 5:22 pm: minimum $3, maximum $400, small $4 to $400, big $3 to $100, any triple $25 to $400",
        ]

    def test_a_lower_minimum_of_a_type_that_is_left_out_is_stated_by_its_type(self, crew: Crew) -> None:
        table = nsw_table(crew)
        change(crew, table, limits(min=200))
        notice = change(crew, table, LimitsValue(min=500, max=50_000), now=START + MINUTE)
        assert notice.sign is not None
        assert [fact.label for fact in sign_facts(notice.sign)] == ["New minimum, Specific Triples", "From"]

    def test_the_paper_states_the_limits_until_the_change_and_from_then_on(self, crew: Crew) -> None:
        table, now = nsw_table(crew), timezone.now()
        notice = change(crew, table, limits(min=1_000), now=now, effective_at=now + 30 * MINUTE)
        assert notice.sign is not None
        when = time_of_day(notice.effective_at, crew.harbour)
        for paper in ("a4", "a5"):
            page = browser_of(crew.gina).get(f"/casinos/harbour/signs/{notice.sign.pk}/{paper}.pdf")
            text = extract_text(page.content)
            assert f"Until {when}: minimum $5, maximum $500, super streak $10" in text
            assert f"From {when}: minimum $5, maximum $500, specific triples $10 to $500" in text

    def test_the_paper_states_the_type(self, crew: Crew) -> None:
        table, now = nsw_table(crew), timezone.now()
        sign = change(crew, table, limits(min=1_000), now=now, effective_at=now + 30 * MINUTE).sign
        assert sign is not None
        paper = browser_of(crew.gina).get(f"/casinos/harbour/signs/{sign.pk}/a4.pdf")
        assert "New minimum, Specific Triples $10 From" in extract_text(paper.content)

    @pytest.mark.parametrize(
        ("minimum", "is_up"), [(1_000, True), (1_001, False), (None, False)], ids=["same", "other", "none"]
    )
    def test_a_controllers_sign_is_matched_by_what_it_states_of_types(
        self, crew: Crew, minimum: int | None, is_up: bool, time_machine: TimeMachineFixture
    ) -> None:
        table = nsw_table(crew)
        sign = change(crew, table, limits(min=1_000), effective_at=START + 22 * MINUTE).sign
        assert sign is not None
        speaking_controller(crew, table)
        time_machine.move_to(START + 2 * MINUTE, tick=False)
        by_bet = {bet: {"min": minimum, "max": None} for bet in TRIPLES} if minimum else {}
        says = {"sign": "screen-7", "min": 500, "by_bet": by_bet, "change_at": "2026-06-01T17:22:00+10:00"}
        report(Feeder(), "sign-shown", START + MINUTE, START + 2 * MINUTE, **says)
        assert clock_of(sign, START + 2 * MINUTE).is_up is is_up
