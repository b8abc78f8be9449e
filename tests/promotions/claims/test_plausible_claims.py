"""Claims and winners that differ from the terms are pointed out before they are recorded; the value of a claim is that
of its prize."""

from datetime import datetime
from typing import Any

import pytest
from time_machine import TimeMachineFixture

from compliance.core.accounts.models import User
from promotions.claims.models import Claim, ReasonsTold
from promotions.claims.services import decide_claim
from promotions.draws.models import Winner
from promotions.draws.services import hold_draw, record_winner, schedule_draw
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.core.web.confirming import post_anyway, shown_prediction
from tests.promotions.claims.test_claims import claimed
from tests.promotions.crew import AWARDED_AFTER, CLOSES_AFTER, DAY, HOUR, START, Crew, file_example_terms

PROMOTIONS = "/casinos/harbour/promotions/"
CLAIM = f"{PROMOTIONS}1/claims/new/"
DRAWN_AT = START + AWARDED_AFTER


def clock(crew: Crew, at: datetime) -> str:
    return f"{at.astimezone(crew.harbour.zone):%Y-%m-%dT%H:%M}"


def warned(person: User, address: str, typed: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Doubts and codes of the predicted findings; then they are confirmed."""
    browser = browser_of(person)
    page = browser.post(address, typed)
    prediction = shown_prediction(page)
    if prediction:
        assert all(doubt in page.content.decode() for doubt in prediction.doubts)
        post_anyway(browser, address, typed)
    return list(prediction.doubts), [each.code for each in prediction.findings]


@pytest.fixture
def drawn(crew: Crew, time_machine: TimeMachineFixture) -> Crew:
    """The hatchback was won by ticket 17, an hour ago."""
    time_machine.move_to(DRAWN_AT + HOUR, tick=False)
    promotion = file_example_terms(crew).promotion
    plan: dict[str, Any] = {"place": "Stage", "method": "Barrel", "actor": crew.mara}
    draw = schedule_draw(promotion=promotion, scheduled_at=DRAWN_AT, now=START, **plan)
    result: dict[str, Any] = {"entries": 812, "result": "17", "scrutineer": "Sam Scrutineer", "is_confirmed": True}
    hold_draw(draw=draw, held_at=DRAWN_AT, now=DRAWN_AT, **plan, **result)
    won: dict[str, Any] = {"prize": "Hatchback", "value_cents": 2_500_000, "entry_drawn": "17", "person": {}}
    record_winner(draw=draw, actor=crew.mara, now=DRAWN_AT, **won)
    return crew


def test_a_claim_has_the_value_of_its_prize(drawn: Crew) -> None:
    page = browser_of(drawn.mara).get(CLAIM)
    assert "value_cents" not in page.context["form"].fields
    assert "Hatchback, $25,000.00" in page.content.decode()
    winner = Winner.objects.get()
    typed = {"prize": "Hatchback", "winner": winner.pk, "claimed_at": clock(drawn, DRAWN_AT), "value_cents": "1.00"}
    assert warned(drawn.mara, CLAIM, typed) == ([], [])
    assert Claim.objects.get().value_cents == 2_500_000
    other = typed | {"prize": "Trip to Cairns"}
    assert warned(drawn.mara, CLAIM, other) == (["P-1/D1/W1 won Hatchback, and Trip to Cairns is claimed."], [])
    assert Claim.objects.count() == 2


def test_a_winner(drawn: Crew) -> None:
    """The audit knows the same ticket and more winners than prizes; the value of a prize is a doubt of the form."""
    address = f"{PROMOTIONS}1/draws/1/winners/new/"
    typed = {"prize": "Trip to Cairns", "entry_drawn": "18", "value_cents": "4000.00"}
    assert warned(drawn.mara, address, typed) == ([], [])
    doubts, codes = warned(drawn.mara, address, {"prize": "Hatchback", "entry_drawn": "18", "value_cents": "25000.01"})
    assert doubts == ["Hatchback is worth $25,000.00 in the terms, not $25,000.01."]
    assert codes == ["PROMO-PRIZE-TWICE", "PROMO-ENTRY-TWICE"]
    assert Winner.objects.count() == 3


def test_reasons_told_before_the_denial(crew: Crew, time_machine: TimeMachineFixture) -> None:
    claim, denied_at = claimed(crew), START + HOUR
    decide_claim(claim=claim, is_met=False, reasons="Closed.", actor=crew.mara, now=denied_at)
    time_machine.move_to(START + DAY, tick=False)
    address = f"{PROMOTIONS}claims/1/told/"
    early = {"method": "mail", "told_at": clock(crew, denied_at - HOUR / 60)}
    page = browser_of(crew.mara).post(address, early)
    [doubt] = shown_prediction(page).doubts
    assert doubt.startswith("The claim was denied on 23 Nov 2026")
    assert not ReasonsTold.objects.exists()
    assert warned(crew.mara, address, early | {"told_at": clock(crew, denied_at)}) == ([], [])
    assert ReasonsTold.objects.exists()


def test_what_the_audit_knows_is_predicted_and_needs_no_doubt(drawn: Crew) -> None:
    """A payment that the terms do not state, shown beside the amounts, and a draw before entries close."""
    typed = {"prize": "Hatchback", "winner": Winner.objects.get().pk, "claimed_at": clock(drawn, DRAWN_AT)}
    warned(drawn.mara, CLAIM, typed)
    decide_claim(claim=Claim.objects.get(), is_met=True, reasons="", actor=drawn.mara, now=DRAWN_AT + HOUR)
    paid = {"form": "cash-alternative", "paid_at": clock(drawn, DRAWN_AT + HOUR), "paid-cash": "20000.00"}
    assert warned(drawn.mara, f"{PROMOTIONS}claims/1/pay/", paid) == ([], ["PROMO-CASH-ALTERNATIVE"])
    plan: dict[str, Any] = {"place": "Stage", "method": "Barrel", "actor": drawn.mara}
    schedule_draw(promotion=Winner.objects.get().draw.promotion, scheduled_at=DRAWN_AT, now=START, **plan)
    held = {
        "held_at": clock(drawn, START + CLOSES_AFTER - HOUR), "place": "Stage", "method": "Barrel", "entries": "812",
        "scrutineer": "Sam Scrutineer", "is_confirmed": "on", "result": "17",
    }  # fmt: skip
    assert warned(drawn.mara, f"{PROMOTIONS}1/draws/2/held/", held) == ([], ["PROMO-DRAW-NOT-AS-FILED"])
