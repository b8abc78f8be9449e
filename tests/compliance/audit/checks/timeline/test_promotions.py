"""Checks of promotions from recorded facts: at, just under and just over every threshold."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from compliance.audit.context.entry_source import NoEntries
from compliance.audit.context.rules_in_force import approved_versions
from compliance.audit.models import Finding
from compliance.audit.run.evaluate_in_memory import evaluate_in_memory
from compliance.audit.run.worker import audit_log
from promotions.claims.models import Claim, HandoverType
from promotions.claims.services import decide_claim, pay_prize, record_claim, record_reasons_told
from promotions.draws.models import Draw, Winner
from promotions.draws.services import hold_draw, record_attempt, record_winner, schedule_draw, stop_draw
from promotions.draws.states import DrawAct
from promotions.terms.content.terms import Prize
from promotions.terms.models import TermsVersion
from promotions.terms.services import (
    add_prescribed_item,
    file_terms,
    postpone_promotion,
    record_material,
    request_amendment,
)
from rounds.floor.fact_values import Holiday
from rounds.ledger import read_entries, size_of
from rounds.ledger.writing.append import append, make_entry
from rounds.transparency_log.formats.leaf import encode_timestamp
from tests.promotions.crew import (
    CAR,
    DAY,
    HOUR,
    NOW,
    START,
    VOUCHER,
    Crew,
    answers,
    file_example_terms,
    make_crew,
    make_draft,
    set_holidays,
)

MINUTE, SECOND = timedelta(minutes=1), timedelta(seconds=1)
LATER = START + 20 * DAY
LATE = ["PROMO-FILED-LATE"]


@pytest.fixture
def crew(settings: Settings, db: None) -> Crew:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    return make_crew()


def found(crew: Crew) -> list[str]:
    """The promotion codes among the audit's findings. Evaluated as entries that are not stored, the log gives the same
    findings, without a query."""
    recorded = found_in_database(crew)
    entries = read_entries("harbour", 0, size_of("harbour"))
    source = NoEntries(crew.harbour, approved_versions(crew.harbour))
    with CaptureQueriesContext(connection) as queries:
        drafts = [draft for draft in evaluate_in_memory(source, entries) if draft.code.startswith("PROMO-")]
    assert not queries.captured_queries
    assert sorted(
        (draft.index, draft.code, draft.clause, draft.sentence, draft.evidence) for draft in drafts
    ) == sorted((row.subject_index, row.code, row.clause, row.sentence, tuple(row.evidence)) for row in recorded)
    return sorted(row.code for row in recorded)


def found_in_database(crew: Crew) -> list[Finding]:
    list(audit_log(crew.harbour))
    return list(Finding.objects.current().filter(casino=crew.harbour, code__startswith="PROMO-"))


def a_day_passes(crew: Crew, at: datetime) -> None:
    """Appends the daily verification entry, which proves that deadlines have passed where nothing else is recorded."""
    with transaction.atomic():
        append("harbour", [make_entry("ledger-verified", {"ok": True})], at)


def recorded(crew: Crew, content: dict[str, Any], now: datetime = NOW) -> TermsVersion:
    return file_terms(draft=make_draft(crew, content, now=now), actor=crew.mara, now=now)


@pytest.mark.parametrize(
    ("before", "codes"),
    [(24 * HOUR, []), (24 * HOUR + SECOND, []), (24 * HOUR - SECOND, LATE), (-HOUR, LATE)],
)
def test_filed_late(crew: Crew, before: timedelta, codes: list[str]) -> None:
    file_example_terms(crew, START, now=START - before)
    assert found(crew) == codes


def test_filed_late_says_how_late_and_by_which_clause(crew: Crew) -> None:
    file_example_terms(crew, START, now=START - 23 * HOUR - 59 * MINUTE)
    assert found(crew) == ["PROMO-FILED-LATE"]
    [finding] = Finding.objects.filter(code="PROMO-FILED-LATE")
    assert finding.sentence == "P-1, version 1 was filed 23 h 59 min before it began; 24 h are due."
    assert finding.clause == "10.9"


def test_incomplete_terms_of_a_promotion_that_has_begun(crew: Crew) -> None:
    content = answers(NOW - DAY)
    del content["eligibility"]
    recorded(crew, content)
    assert found(crew) == ["PROMO-FILED-LATE", "PROMO-INCOMPLETE"]
    [finding] = Finding.objects.filter(code="PROMO-INCOMPLETE")
    assert "10.7.3" in finding.sentence


@pytest.mark.parametrize(("ml", "is_found"), [(19_999, False), (20_000, False), (20_001, True)])
def test_more_than_20_litres_of_liquor(crew: Crew, ml: int, is_found: bool) -> None:
    recorded(crew, answers(NOW - DAY, Prize(name="Cellar", type="goods", value_cents=100, liquor_ml=ml)))
    assert ("PROMO-PROHIBITED" in found(crew)) is is_found


@pytest.mark.parametrize(("free_of", "is_found"), [((), True), (("tobacco",), False)])
def test_words_of_a_prize_that_nobody_answered_for(crew: Crew, free_of: tuple[str, ...], is_found: bool) -> None:
    recorded(crew, answers(NOW - DAY, Prize(name="Carton of cigars", type="goods", value_cents=100, free_of=free_of)))
    assert ("PROMO-PRIZE-WORDS" in found(crew)) is is_found


@pytest.mark.parametrize("is_listed_in_time", [True, False])
@pytest.mark.parametrize("is_answered", [True, False])
def test_words_of_the_prescribed_list_that_nobody_answered_for(
    crew: Crew, is_listed_in_time: bool, is_answered: bool
) -> None:
    listed_at = NOW - DAY if is_listed_in_time else NOW + DAY
    listed = add_prescribed_item(
        casino=crew.harbour, item="Fireworks", basis="A regulation", actor=crew.aron, now=listed_at
    )
    free_of = (listed.key,) if is_answered else ()
    recorded(crew, answers(NOW - HOUR, Prize(name="A firework", type="goods", value_cents=100, free_of=free_of)))
    rows = {row.code: row.clause for row in found_in_database(crew)}
    assert rows.get("PROMO-PRIZE-WORDS") == ("10.5.5" if is_listed_in_time and not is_answered else None)


def test_what_was_prescribed_when_it_was_filed(crew: Crew) -> None:
    listed = add_prescribed_item(
        casino=crew.harbour, item="Fireworks", basis="A regulation", actor=crew.aron, now=NOW - DAY
    )
    recorded(crew, answers(NOW - HOUR, Prize(name="Rockets", type="goods", value_cents=100, includes=(listed.key,))))
    assert "PROMO-PROHIBITED" in {row.code for row in found_in_database(crew)}


def test_amended_in_use_without_approval(crew: Crew) -> None:
    first = file_example_terms(crew)
    changed = answers(eligibility={"text": "Gold members."})
    draft = make_draft(crew, changed, promotion=first.promotion, now=LATER)
    request_amendment(draft=draft, reason="Too many", actor=crew.mara, now=LATER)
    assert found(crew) == []
    other = file_example_terms(crew)
    draft = make_draft(crew, changed, promotion=other.promotion, now=LATER)
    request_amendment(draft=draft, reason="Too many", in_use_at=LATER - DAY, actor=crew.mara, now=LATER)
    assert found(crew) == ["PROMO-AMENDED"]


def drawn(crew: Crew, *prizes: Prize, scrutineer: str = "", at: datetime = LATER, **changes: Any) -> Draw:
    times = {
        "place-date-and-time-of-promotion": {
            "place": "Main gaming floor",
            "starts_at": encode_timestamp(START),
            "ends_at": encode_timestamp(max(at, START + HOUR)),
        },
        "closing-of-entries": {"closes_at": encode_timestamp(START + HOUR)},
        "when-and-where-awarded": {"awarded_at": encode_timestamp(at), "where": "Stage"},
    }
    promotion = file_example_terms(crew, START, *prizes, **(times | changes)).promotion
    by: dict[str, Any] = {"actor": crew.mara}
    draw = schedule_draw(promotion=promotion, scheduled_at=at, place="Stage", method="Barrel", now=START, **by)
    hold_draw(
        draw=draw,
        held_at=at,
        place="Stage",
        method="Barrel",
        entries=9,
        result="Ticket 4",
        scrutineer=scrutineer,
        is_confirmed=bool(scrutineer),
        now=at,
        **by,
    )
    return draw


@pytest.mark.parametrize(
    ("cents", "scrutineer", "codes"),
    [
        (1_000_000, "", []),
        (1_000_001, "", ["PROMO-SCRUTINEER"]),
        (1_000_001, "Sam", []),
    ],
)
def test_no_scrutineer(crew: Crew, cents: int, scrutineer: str, codes: list[str]) -> None:
    drawn(crew, Prize(name="It", type="goods", value_cents=cents), scrutineer=scrutineer)
    assert found(crew) == codes


@pytest.mark.parametrize(("after", "codes"), [(15 * MINUTE, []), (15 * MINUTE + SECOND, ["PROMO-STOP-NOT-TOLD"])])
def test_a_stop_of_which_the_inspectorate_was_not_told_at_once(crew: Crew, after: timedelta, codes: list[str]) -> None:
    promotion = file_example_terms(crew).promotion
    by: dict[str, Any] = {"actor": crew.mara}
    draw = schedule_draw(promotion=promotion, scheduled_at=LATER, place="Stage", method="Barrel", now=START, **by)
    stop_draw(
        draw=draw, act=DrawAct.POSTPONED, determined_at=LATER, reason="The barrel was open.", now=LATER + after, **by
    )
    assert found(crew) == codes
    postpone_promotion(promotion=promotion, determined_at=LATER, reason="Entries sold.", now=LATER + after, **by)
    assert found(crew) == codes * 2


def test_material_that_does_not_refer_to_the_terms(crew: Crew) -> None:
    promotion = file_example_terms(crew).promotion
    said: dict[str, Any] = {
        "promotion": promotion,
        "medium": "poster",
        "used_from_on": date(2026, 11, 16),
        "actor": crew.mara,
    }
    record_material(**said, description="With", is_referring=True, where="At the foot", now=NOW)
    assert found(crew) == []
    record_material(**said, description="Without", is_referring=False, where="", now=NOW)
    assert found(crew) == ["PROMO-NOT-REFERENCED"]


def won(crew: Crew, drawn_at: datetime, presence: str = "not-required") -> Winner:
    draw = drawn(crew, VOUCHER, at=drawn_at, presence=presence)
    return record_winner(
        draw=draw, prize="Dinner", value_cents=10_000, entry_drawn="4", person={}, actor=crew.mara, now=drawn_at
    )


# Thursday 10 December 2026, noon in Sydney: two days later is a Saturday, so Monday the 14th is the last day.
THURSDAY = datetime(2026, 12, 10, 1, 0, tzinfo=UTC)
MONDAY_ENDS = datetime(2026, 12, 14, 13, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("tried", "codes"),
    [
        (THURSDAY, []),
        (THURSDAY - SECOND, ["PROMO-WINNER-LATE"]),
        (MONDAY_ENDS - SECOND, []),
        (MONDAY_ENDS, ["PROMO-WINNER-LATE"]),
        (None, ["PROMO-WINNER-LATE"]),
    ],
)
def test_a_winner_whom_nobody_tried_to_reach_in_time(crew: Crew, tried: datetime | None, codes: list[str]) -> None:
    winner = won(crew, THURSDAY)
    a_day_passes(crew, MONDAY_ENDS - SECOND)
    assert found(crew) == []
    if tried:
        record_attempt(
            winner=winner, method="telephone", attempted_at=tried, is_reached=False, actor=crew.mara, now=MONDAY_ENDS
        )
    a_day_passes(crew, MONDAY_ENDS + DAY)
    a_day_passes(crew, MONDAY_ENDS + 2 * DAY)
    assert found(crew) == codes


def test_the_last_day_rolls_over_a_holiday(crew: Crew) -> None:
    set_holidays(crew, Holiday(on=date(2026, 12, 14), name="A holiday"))
    won(crew, THURSDAY)
    a_day_passes(crew, MONDAY_ENDS)
    assert found(crew) == []
    a_day_passes(crew, MONDAY_ENDS + DAY)
    assert found(crew) == ["PROMO-WINNER-LATE"]


def test_an_attempt_in_time_that_is_recorded_late_clears_the_finding(crew: Crew) -> None:
    winner = won(crew, THURSDAY)
    a_day_passes(crew, MONDAY_ENDS + HOUR)
    assert found(crew) == ["PROMO-WINNER-LATE"]
    record_attempt(
        winner=winner,
        method="email",
        attempted_at=THURSDAY + HOUR,
        is_reached=True,
        actor=crew.mara,
        now=MONDAY_ENDS + DAY,
    )
    assert found(crew) == []


def test_where_presence_was_required_nobody_need_be_told(crew: Crew) -> None:
    won(crew, THURSDAY, presence="required")
    a_day_passes(crew, MONDAY_ENDS + DAY)
    assert found(crew) == []


def claimed(crew: Crew, cents: int, prize: Prize) -> Claim:
    return record_claim(
        promotion=file_example_terms(crew, START, prize).promotion,
        prize=prize.name,
        value_cents=cents,
        claimed_at=LATER,
        details="",
        actor=crew.mara,
        now=LATER,
    )


@pytest.mark.parametrize(
    ("cents", "person", "codes"),
    [
        (10_000, {}, []),
        (10_001, {}, ["PROMO-DENIAL-RECORD"]),
        (10_001, {"name": "Pat"}, ["PROMO-DENIAL-RECORD"]),
        (10_001, {"name": "Pat", "address": " "}, ["PROMO-DENIAL-RECORD"]),
        (10_001, {"address": "Quay"}, ["PROMO-DENIAL-RECORD"]),
        (10_001, {"name": "Pat", "address": "Quay"}, []),
    ],
)
@pytest.mark.parametrize("is_typed", [True, False])
def test_a_denial_without_its_record(
    crew: Crew, cents: int, person: dict[str, str], codes: list[str], is_typed: bool
) -> None:
    """Whether the claim or the prize is over the figure."""
    prize = VOUCHER if is_typed else Prize(name="Dinner", type="goods", value_cents=cents)
    claim = claimed(crew, cents if is_typed else 1, prize)
    decide_claim(claim=claim, is_met=False, reasons="Closed.", person=person, actor=crew.mara, now=LATER)
    assert found(crew) == codes


@pytest.mark.parametrize(
    ("told", "codes"),
    [(MONDAY_ENDS - SECOND, []), (MONDAY_ENDS, ["PROMO-DENIAL-NOT-TOLD"]), (None, ["PROMO-DENIAL-NOT-TOLD"])],
)
def test_a_denial_that_nobody_explained(crew: Crew, told: datetime | None, codes: list[str]) -> None:
    claim = claimed(crew, 10_000, VOUCHER)
    decide_claim(claim=claim, is_met=False, reasons="Closed.", actor=crew.mara, now=THURSDAY)
    if told:
        record_reasons_told(claim=claim, method="mail", told_at=told, actor=crew.mara, now=MONDAY_ENDS)
    a_day_passes(crew, MONDAY_ENDS + DAY)
    assert found(crew) == codes


@pytest.mark.parametrize(
    ("cents", "chosen", "codes"),
    [
        (1_000_000, {}, []),
        (1_000_001, {}, ["PROMO-CASH-CHOICE"]),
        (1_000_001, {"crossed-cheque": 1_000_001}, ["PROMO-CASH-CHOICE"]),
        (1_000_001, {"cash": 1_000_001}, []),
    ],
)
def test_paid_otherwise_than_the_winner_chose(crew: Crew, cents: int, chosen: dict[str, int], codes: list[str]) -> None:
    claim = claimed(crew, cents, Prize(name="Cash", type="cash", value_cents=cents))
    decide_claim(claim=claim, is_met=True, reasons="", actor=crew.mara, now=LATER)
    pay_prize(
        claim=claim,
        form=HandoverType.CASH,
        chosen=chosen,
        paid={"cash": cents},
        paid_at=LATER,
        actor=crew.mara,
        now=LATER,
    )
    assert found(crew) == codes


@pytest.mark.parametrize(
    ("stated", "paid", "codes"),
    [
        (None, 2_000_000, ["PROMO-CASH-ALTERNATIVE"]),
        (2_000_000, 2_000_000, []),
        (2_000_000, 1_999_999, ["PROMO-CASH-ALTERNATIVE"]),
    ],
)
def test_a_cash_alternative_that_the_terms_do_not_state(
    crew: Crew, stated: int | None, paid: int, codes: list[str]
) -> None:
    car = Prize(name="Car", type="vehicle", value_cents=2_500_000, details=CAR.details, cash_alternative_cents=stated)
    claim = claimed(crew, 2_500_000, car)
    decide_claim(claim=claim, is_met=True, reasons="", actor=crew.mara, now=LATER)
    pay_prize(
        claim=claim, form=HandoverType.CASH_ALTERNATIVE, paid={"cash": paid}, paid_at=LATER, actor=crew.mara, now=LATER
    )
    assert found(crew) == codes


def test_a_prize_handed_over_with_what_no_prize_may_include(crew: Crew) -> None:
    claim = claimed(crew, 10_000, VOUCHER)
    decide_claim(claim=claim, is_met=True, reasons="", actor=crew.mara, now=LATER)
    pay_prize(
        claim=claim, form=HandoverType.AS_DESCRIBED, includes=["tobacco"], paid_at=LATER, actor=crew.mara, now=LATER
    )
    assert found(crew) == ["PROMO-PROHIBITED"]


def test_a_denial_says_what_is_missing_beside_what_came_with_the_claim(crew: Crew) -> None:
    promotion = file_example_terms(crew, START, CAR).promotion
    said: dict[str, Any] = {"claimed_at": LATER, "details": "", "actor": crew.mara, "now": LATER}
    for given, later, is_found in (
        ({"name": "Pat"}, {"address": "Quay"}, False),
        ({"name": "Pat", "address": "Quay"}, {}, False),
        ({"name": "Pat"}, {}, True),
    ):
        claim = record_claim(promotion=promotion, prize="Hatchback", value_cents=10_001, person=given, **said)
        decide_claim(claim=claim, is_met=False, reasons="Closed.", person=later, actor=crew.mara, now=LATER)
        assert (found(crew) == ["PROMO-DENIAL-RECORD"]) is is_found
    [finding] = Finding.objects.filter(code="PROMO-DENIAL-RECORD")
    assert finding.sentence == (
        "The record of the denied claim on C-3 ($25,000.00) lacks the claimant's address; above $100.00 they are kept."
    )
