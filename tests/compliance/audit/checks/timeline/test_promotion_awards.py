"""Draws, winners and payments compared with the terms as filed: at, just inside and just outside every boundary."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from compliance.audit.models import Finding
from promotions.claims.models import Claim, HandoverType
from promotions.claims.services import decide_claim, pay_prize, record_claim
from promotions.draws.models import Draw, Winner
from promotions.draws.services import hold_draw, record_winner, schedule_draw, stop_draw, validate_draw
from promotions.draws.states import DrawAct
from promotions.terms.content.terms import Prize
from promotions.terms.models import Promotion
from promotions.terms.services import postpone_promotion, validate_promotion
from rounds.transparency_log.formats.leaf import encode_timestamp
from tests.compliance.audit.checks.timeline.test_promotions import claimed, crew, found
from tests.promotions.crew import (
    AWARDED_AFTER,
    CAR,
    CLOSES_AFTER,
    DAY,
    HOUR,
    START,
    VOUCHER,
    Crew,
    file_example_terms,
)

__all__ = ["crew"]
SECOND = timedelta(seconds=1)
AWARDED, CLOSES = START + AWARDED_AFTER, START + CLOSES_AFTER
POSTPONED, NOT_AS_FILED = ["PROMO-DRAW-POSTPONED"], ["PROMO-DRAW-NOT-AS-FILED"]
STAGE: dict[str, Any] = {"place": "Stage", "method": "Barrel"}


def scheduled(crew: Crew, *prizes: Prize, **changes: Any) -> Draw:
    """Only those present can win, so that no winner need be told."""
    promotion = file_example_terms(crew, START, *(prizes or (VOUCHER,)), presence="required", **changes).promotion
    return schedule_draw(promotion=promotion, scheduled_at=AWARDED, actor=crew.mara, now=START, **STAGE)


def hold(crew: Crew, draw: Draw, at: datetime = AWARDED, entries: int = 9) -> None:
    said: dict[str, Any] = {"result": "Ticket 4", "scrutineer": "Sam", "is_confirmed": True, "entries": entries}
    hold_draw(draw=draw, held_at=at, actor=crew.mara, now=at + 2 * DAY, **said, **STAGE)


def stop(crew: Crew, draw: Draw, at: datetime) -> None:
    stop_draw(draw=draw, act=DrawAct.POSTPONED, determined_at=at, reason="Open barrel.", actor=crew.mara, now=at)


@pytest.mark.parametrize(
    ("held", "codes"), [(AWARDED, []), (AWARDED + SECOND, POSTPONED), (AWARDED - SECOND, NOT_AS_FILED)]
)
def test_a_draw_held_while_it_was_postponed(crew: Crew, held: datetime, codes: list[str]) -> None:
    draw = scheduled(crew)
    stop(crew, draw, AWARDED)
    hold(crew, draw, held)
    assert found(crew) == codes


def test_the_finding_says_since_when_it_was_postponed_and_by_which_clause(crew: Crew) -> None:
    draw = scheduled(crew)
    stop(crew, draw, AWARDED - HOUR)
    hold(crew, draw)
    assert found(crew) == POSTPONED
    [finding] = Finding.objects.filter(code="PROMO-DRAW-POSTPONED")
    assert finding.clause == "10.12"
    assert finding.sentence == (
        "P-1, draw 1, was held on 6 Dec 2026 10:00 AEDT; it was postponed on 6 Dec 2026 09:00 AEDT and not validated "
        "since."
    )


@pytest.mark.parametrize(
    ("held", "codes"),
    [
        (AWARDED + DAY, []),
        (AWARDED + DAY + HOUR, []),
        (AWARDED + DAY + HOUR + SECOND, NOT_AS_FILED),
        (AWARDED + DAY - SECOND, NOT_AS_FILED),
        (AWARDED + HOUR - SECOND, [*NOT_AS_FILED, *POSTPONED]),
    ],
)
def test_a_draw_that_was_validated_is_held_at_its_new_time(crew: Crew, held: datetime, codes: list[str]) -> None:
    draw = scheduled(crew)
    stop(crew, draw, AWARDED - HOUR)
    validate_draw(draw=draw, how="Counted again.", scheduled_at=AWARDED + DAY, actor=crew.cleo, now=AWARDED + HOUR)
    hold(crew, draw, held)
    assert found(crew) == codes


@pytest.mark.parametrize("is_validated", [True, False])
def test_a_draw_held_while_the_whole_promotion_was_postponed(crew: Crew, is_validated: bool) -> None:
    draw = scheduled(crew)
    at = AWARDED - HOUR
    postpone_promotion(promotion=draw.promotion, determined_at=at, reason="Entries sold.", actor=crew.mara, now=at)
    if is_validated:
        validate_promotion(promotion=draw.promotion, how="Counted.", actor=crew.cleo, now=AWARDED + DAY)
    hold(crew, draw, AWARDED + DAY)
    assert found(crew) == ([] if is_validated else POSTPONED)


@pytest.mark.parametrize(
    ("held", "codes"),
    [
        (AWARDED, []),
        (AWARDED - SECOND, NOT_AS_FILED),
        (AWARDED + HOUR, []),
        (AWARDED + HOUR + SECOND, NOT_AS_FILED),
    ],
)
def test_a_draw_at_another_time_than_filed(crew: Crew, held: datetime, codes: list[str]) -> None:
    hold(crew, scheduled(crew), held)
    assert found(crew) == codes
    assert {finding.clause for finding in Finding.objects.filter(code__startswith="PROMO-")} <= {"10.7.2"}


@pytest.mark.parametrize(("held", "is_early"), [(CLOSES, False), (CLOSES - SECOND, True)])
def test_a_draw_before_entries_close(crew: Crew, held: datetime, is_early: bool) -> None:
    hold(crew, scheduled(crew), held)
    assert found(crew) == NOT_AS_FILED
    [finding] = Finding.objects.filter(code__startswith="PROMO-")
    assert ("before entries closed" in finding.sentence) is is_early
    assert finding.clause == ("10.7.6" if is_early else "10.7.2")


def test_several_draws_at_the_times_that_were_filed(crew: Crew) -> None:
    first, second = START + DAY, START + 2 * DAY
    awarding = {
        "awarded_at": encode_timestamp(AWARDED),
        "where": "The stage",
        "earlier_at": [encode_timestamp(first), encode_timestamp(second)],
    }
    draw = scheduled(crew, **{"when-and-where-awarded": awarding})
    hold(crew, draw, first)
    for at in (second, AWARDED):
        again = schedule_draw(promotion=draw.promotion, scheduled_at=at, actor=crew.mara, now=START, **STAGE)
        hold(crew, again, at)
    assert found(crew) == []
    third = schedule_draw(promotion=draw.promotion, scheduled_at=CLOSES, actor=crew.mara, now=START, **STAGE)
    hold(crew, third, CLOSES - SECOND)
    assert found(crew) == NOT_AS_FILED


@pytest.mark.parametrize(("entries", "codes"), [(1, []), (0, NOT_AS_FILED)])
def test_a_draw_without_an_entry(crew: Crew, entries: int, codes: list[str]) -> None:
    hold(crew, scheduled(crew), entries=entries)
    assert found(crew) == codes


def win(crew: Crew, draw: Draw, ticket: str, prize: Prize = VOUCHER) -> Winner:
    return record_winner(
        draw=draw,
        prize=prize.name,
        value_cents=prize.value_cents,
        entry_drawn=ticket,
        person={},
        actor=crew.mara,
        now=AWARDED,
    )


def three_dinners() -> Prize:
    return Prize(name="Dinner", type="goods", value_cents=10_000, quantity=3)


@pytest.mark.parametrize(
    ("quantity", "winners", "is_found"), [(1, 1, False), (1, 2, True), (3, 3, False), (3, 4, True)]
)
def test_more_winners_than_prizes(crew: Crew, quantity: int, winners: int, is_found: bool) -> None:
    prize = Prize(name="Dinner", type="goods", value_cents=10_000, quantity=quantity)
    draw = scheduled(crew, prize)
    hold(crew, draw)
    for ticket in range(winners):
        win(crew, draw, str(ticket), prize)
    assert found(crew) == (["PROMO-PRIZE-TWICE"] if is_found else [])
    if is_found:
        assert Finding.objects.get(code="PROMO-PRIZE-TWICE").clause == "10.7.11"


def test_a_prize_is_drawn_again_when_the_claim_of_its_winner_was_denied(crew: Crew) -> None:
    draw = scheduled(crew)
    hold(crew, draw)
    first = win(crew, draw, "1")
    claim = record_claim(
        promotion=draw.promotion, prize="Dinner", value_cents=10_000, claimed_at=AWARDED, details="", winner=first,
        actor=crew.mara, now=AWARDED,
    )  # fmt: skip
    decide_claim(claim=claim, is_met=False, reasons="An employee.", actor=crew.mara, now=AWARDED)
    win(crew, draw, "2")
    assert found(crew) == []


@pytest.mark.parametrize(
    ("wins", "codes"), [("once", ["PROMO-ENTRY-TWICE"]), ("", ["PROMO-ENTRY-TWICE"]), ("several", [])]
)
def test_the_same_entry_wins_twice(crew: Crew, wins: str, codes: list[str]) -> None:
    draw = scheduled(crew, three_dinners(), **{"manner-of-award": {"text": "From a barrel.", "wins": wins}})
    hold(crew, draw)
    win(crew, draw, "A-17")
    win(crew, draw, "A-18")
    assert found(crew) == []
    win(crew, draw, "a-17 ")
    assert found(crew) == codes


@pytest.mark.parametrize(("wins", "codes"), [("once", ["PROMO-ENTRY-TWICE"]), ("", [])])
def test_the_same_entry_wins_in_two_draws(crew: Crew, wins: str, codes: list[str]) -> None:
    first = START + DAY
    draw = scheduled(
        crew,
        three_dinners(),
        **{
            "manner-of-award": {"text": "From a barrel.", "wins": wins},
            "when-and-where-awarded": {
                "awarded_at": encode_timestamp(AWARDED), "where": "Bar", "earlier_at": [encode_timestamp(first)]
            },
        },
    )  # fmt: skip
    hold(crew, draw, first)
    win(crew, draw, "17")
    second = schedule_draw(promotion=draw.promotion, scheduled_at=AWARDED, actor=crew.mara, now=START, **STAGE)
    hold(crew, second)
    win(crew, second, "17")
    assert found(crew) == codes


def pay(crew: Crew, claim: Claim, form: HandoverType, cents: int, method: str = "cash") -> None:
    decide_claim(claim=claim, is_met=True, reasons="", actor=crew.mara, now=AWARDED)
    parts = {method: cents} if cents else {}
    pay_prize(claim=claim, form=form, chosen=parts, paid=parts, paid_at=AWARDED, actor=crew.mara, now=AWARDED)


@pytest.mark.parametrize("value", [1_500_000, 40_000])
@pytest.mark.parametrize(("off", "codes"), [(0, []), (-1, ["PROMO-PRIZE-AMOUNT"]), (1, ["PROMO-PRIZE-AMOUNT"])])
def test_a_cash_prize_in_another_amount(crew: Crew, value: int, off: int, codes: list[str]) -> None:
    claim = claimed(crew, value + off, Prize(name="Cash", type="cash", value_cents=value))
    pay(crew, claim, HandoverType.CASH, value + off)
    assert found(crew) == codes
    for finding in Finding.objects.filter(code="PROMO-PRIZE-AMOUNT"):
        assert finding.clause == ("10.4" if value > 1_000_000 else "10.7.11")
        assert (finding.required_cents, finding.found_cents) == (value, value + off)


def test_the_prize_decides_whether_the_winner_chooses_not_the_amount_typed_with_the_claim(crew: Crew) -> None:
    claim = claimed(crew, 900_000, Prize(name="Cash", type="cash", value_cents=1_500_000))
    decide_claim(claim=claim, is_met=True, reasons="", actor=crew.mara, now=AWARDED)
    paid = {"cash": 1_500_000}
    pay_prize(claim=claim, form=HandoverType.CASH, paid=paid, paid_at=AWARDED, actor=crew.mara, now=AWARDED)
    assert found(crew) == ["PROMO-CASH-CHOICE"]


@pytest.mark.parametrize("form", [HandoverType.CASH, HandoverType.CASH_ALTERNATIVE, HandoverType.AS_DESCRIBED])
@pytest.mark.parametrize(("stated", "paid", "is_found"), [(None, 1, True), (4_500, 4_500, False), (4_500, 6_000, True)])
def test_money_for_a_prize_in_kind(
    crew: Crew, form: HandoverType, stated: int | None, paid: int, is_found: bool
) -> None:
    car = Prize(name="Car", type="vehicle", value_cents=6_000, details=CAR.details, cash_alternative_cents=stated)
    pay(crew, claimed(crew, 6_000, car), form, paid)
    assert found(crew) == (["PROMO-CASH-ALTERNATIVE"] if is_found else [])


@pytest.mark.parametrize(("quantity", "codes"), [(2, []), (1, ["PROMO-PRIZE-TWICE"])])
def test_one_prize_paid_to_two_claimants(crew: Crew, quantity: int, codes: list[str]) -> None:
    prize = Prize(name="Dinner", type="goods", value_cents=10_000, quantity=quantity)
    promotion: Promotion = file_example_terms(crew, START, prize).promotion
    for _ in range(2):
        claim = record_claim(
            promotion=promotion, prize="Dinner", value_cents=10_000, claimed_at=AWARDED, details="", actor=crew.mara,
            now=AWARDED,
        )  # fmt: skip
        pay(crew, claim, HandoverType.AS_DESCRIBED, 0)
    assert found(crew) == codes
