"""Amounts of a dispute that cannot be right are pointed out before they are recorded. The disputed wager: $10 on total
10, which pays 6 to 1, won and was collected, so $70 is owed and no more can be."""

from html import escape
from typing import Any

import pytest

from compliance.audit.models import ConfirmedWarning
from compliance.core.accounts.models import User
from compliance.core.web.ui.precheck import CONFIRMED_FIELD, REASON_FIELD
from compliance.disputes.models import Dispute, Step
from compliance.disputes.services import record_complaint
from compliance.disputes.subject.plausible_amounts import largest_return_cents
from rounds.intake.protocol.examples import BODIES
from tests.compliance.core.accounts.people import browser_of, sign_off
from tests.compliance.core.web.confirming import REASON, shown_prediction
from tests.compliance.disputes.disputed_round import LICENSEE, NOW, NSW, Floor

D1 = "/casinos/harbour/disputes/1/"
OVER_OWED = "$70.01 is more than the $70.00 that is owed for the disputed wagers."
OVER_LARGEST = "$70.01 is more than the disputed wagers could ever return: $70.00 with their stakes."


@pytest.fixture
def dispute(floor: Floor) -> Dispute:
    floor.open_table(NSW)
    [small, nine] = BODIES["round"]["wagers"]
    return floor.log(floor.play(wagers=[small, nine | {"bet": "total:10"}]))


def doubts_about(person: User, page: str, **typed: Any) -> list[str]:
    """What the page doubts. Nothing may be recorded then, until exactly that is confirmed."""
    browser, before = browser_of(person), Step.objects.count()
    warned = browser.post(f"{D1}{page}/", typed | sign_off(person), follow=True)
    doubts = list(shown_prediction(warned).doubts)
    assert all(escape(doubt) in warned.content.decode() for doubt in doubts)
    if shown_prediction(warned):
        assert Step.objects.count() == before
        confirmed = {CONFIRMED_FIELD: shown_prediction(warned).digest, REASON_FIELD: REASON}
        done = browser.post(f"{D1}{page}/", typed | confirmed | sign_off(person), follow=True)
        recorded = ConfirmedWarning.objects.latest("pk")
        assert (recorded.doubts, recorded.reason, recorded.by) == (doubts, REASON, person)
        assert f"gave this reason: {REASON}" in done.content.decode()
        assert all(escape(doubt) in done.content.decode() for doubt in doubts)
    assert Step.objects.count() == before + 1
    return doubts


@pytest.mark.parametrize(
    ("outcome", "amount", "doubts"),
    [
        ("upheld", "70", []),
        ("upheld", "70.01", [OVER_LARGEST, OVER_OWED]),
        ("void", "10", []),
        ("void", "10.01", ["$10.01 is more than the $10.00 that is owed for the disputed wagers."]),
        ("refused", "", []),
        ("refused", "0.01", ["$0.01 is to be paid although the outcome is against the patron."]),
    ],
)
def test_a_decision(floor: Floor, dispute: Dispute, outcome: str, amount: str, doubts: list[str]) -> None:
    typed = {"outcome": outcome, "amount": amount, "clause": "9.12", "reasons": "The chips lay on ten."}
    assert doubts_about(floor.gina, "decide", **typed) == doubts


@pytest.mark.parametrize(
    ("outcome", "amount", "doubts"),
    [
        ("substantiated", "70", []),
        ("substantiated", "70.01", [OVER_LARGEST, OVER_OWED]),
        ("not-substantiated", "5", ["$5.00 is to be paid although the outcome is against the patron."]),
    ],
)
def test_a_determination(floor: Floor, dispute: Dispute, outcome: str, amount: str, doubts: list[str]) -> None:
    record_complaint(dispute=dispute, received="writing", actor=floor.ines, now=NOW)
    assert doubts_about(floor.ines, "outcome", outcome=outcome, amount=amount, reasons="The film.") == doubts


def test_posted_odds_may_be_better_than_those_of_the_rules(floor: Floor) -> None:
    floor.open_table(LICENSEE)
    assert largest_return_cents(floor.log()) is None


def test_a_decision_written_down_later(floor: Floor, dispute: Dispute) -> None:
    typed = {"outcome": "upheld", "amount": "70.01", "clause": "", "reasons": "It won.", "rung": "0"}
    decided = {"decider": f"{floor.gina.pk}:games-supervisor", "at": "2026-11-16T20:45"}
    *amounts, time = doubts_about(floor.sid, "decision-made", **typed, **decided)
    assert amounts == [OVER_LARGEST, OVER_OWED]
    assert time.startswith("16 Nov 2026, 8:45 pm AEDT was ")


def test_the_owed_amount_is_next_to_the_amount_of_a_decision(floor: Floor, dispute: Dispute) -> None:
    page = browser_of(floor.gina).get(f"{D1}decide/").content.decode()
    assert "By the rules and the record, $70.00 is owed for the disputed wagers." in page


def test_a_payment_is_filled_in_and_compared_with_the_decision(floor: Floor, dispute: Dispute) -> None:
    floor.decide(dispute, floor.gina, outcome="partly", amount_cents=4_000)
    page = browser_of(floor.sid).get(f"{D1}pay/")
    assert page.context["form"]["amount"].value() == "40.00"
    assert "$40.00 of the decided $40.00 is not paid yet." in page.content.decode()
    paid = {"way": "paid", "wager": "0041-2", "note": ""}
    short = "$39.99 is not what remains to be paid: the decision gives $40.00."
    assert doubts_about(floor.sid, "pay", amount="39.99", **paid) == [short]
    assert doubts_about(floor.sid, "pay", amount="0.01", **paid) == []
    again = "$40.00 is not what remains to be paid: the decision gives $40.00. $40.00 was paid before."
    assert doubts_about(floor.sid, "pay", amount="40", **paid) == [again]
    back = paid | {"way": "taken-back"}
    more = "$80.01 is more than the $80.00 that was handed to the patron."
    assert doubts_about(floor.sid, "pay", amount="80.01", **back) == [more]


@pytest.mark.parametrize("page", ["decide", "outcome"])
def test_the_facts_are_on_the_page_where_it_is_decided(floor: Floor, dispute: Dispute, page: str) -> None:
    person = floor.gina if page == "decide" else floor.crew.cast.ines
    shown = browser_of(person).get(f"{D1}{page}/").content.decode()
    assert dispute.statement.text in shown
    assert "returned <data" in shown
    assert "$70.00</data>" in shown
