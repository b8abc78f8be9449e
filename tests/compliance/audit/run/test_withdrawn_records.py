"""Records that people withdrew: findings caused by them are superseded, and what depended on them is judged anew. The
in-memory evaluation with a planned correction says the same."""

from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from compliance.audit.context.stored_entries import StoredEntries
from compliance.audit.models import Finding
from compliance.audit.run.evaluate_in_memory import evaluate_in_memory
from compliance.audit.run.reaudit import AFFECTED_BY
from compliance.audit.run.worker import audit_log
from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import Role
from compliance.core.corrections.services import withdraw_record
from compliance.disputes.models import Dispute, Step
from compliance.disputes.services import record_payment
from promotions.claims.models import HandoverType, Payment
from promotions.claims.services import pay_prize
from promotions.draws.models import Winner
from promotions.draws.services import record_attempt
from rounds.ledger import LogEntry, Reaudit, encode_body, entry_at, size_of, verify_log
from tests.compliance.audit.checks.timeline.test_disputes import made
from tests.compliance.audit.checks.timeline.test_promotion_awards import AWARDED, hold, pay, scheduled, win
from tests.compliance.audit.checks.timeline.test_promotions import LATER, a_day_passes, claimed, crew, found, won
from tests.compliance.disputes.disputed_round import MINUTE, NOW, NSW, SKYCITY, Floor, make_disputed_floor
from tests.compliance.disputes.subject.test_assessment import wager
from tests.promotions.crew import DAY, HOUR, VOUCHER, Crew

__all__ = ["crew"]
pytestmark = pytest.mark.django_db


@pytest.fixture
def floor(tmp_path: Path, settings: Settings) -> Floor:
    return make_disputed_floor(tmp_path, settings)


def withdraw(casino: Casino, index: int, by: User) -> None:
    entry = entry_at(casino.slug, index)
    assert entry is not None
    withdraw_record(casino=casino, entry=entry, reason="Recorded in error.", actor=by, now=NOW + 30 * MINUTE)


def current_codes(casino: Casino) -> list[str]:
    list(audit_log(casino))
    return sorted(Finding.objects.current().filter(casino=casino).values_list("code", flat=True))


def predicted_codes(casino: Casino, corrected: int, *again: int) -> list[str]:
    """What would be found about these entries, if this one were withdrawn."""
    by = {"id": 1, "name": "Sid"}
    body = encode_body({"corrects": corrected, "reason": "Recorded in error.", "by": by})
    index = size_of(casino.slug)
    planned = LogEntry(casino.slug, index, "correction", None, None, None, NOW + 30 * MINUTE, body, b"")
    # The audit reopens these entries by itself; blocks of one entry, because all entries of a test are in one block.
    assert set(again) <= AFFECTED_BY[Reaudit.CORRECTED_ENTRY](planned, 1)
    drafts = evaluate_in_memory(StoredEntries(casino), [planned], again=again)
    return sorted(draft.code for draft in drafts)


def assert_log_is_whole(casino: Casino) -> None:
    assert verify_log(casino.slug).issues == ()


def paid(floor: Floor, dispute: Dispute, wager: str = "") -> Step:
    said: dict[str, Any] = {"way": "paid", "amount_cents": 7_000, "wager": wager, "note": ""}
    return record_payment(dispute=dispute, actor=floor.sid, now=NOW + 10 * MINUTE, **said)


def test_a_finding_about_a_withdrawn_decision_is_superseded(floor: Floor) -> None:
    floor.open_table(SKYCITY)
    made(floor, floor.log(wagers=[]), floor.gina, Role.GAMES_SUPERVISOR)
    assert "DISPUTE-DECIDER" in current_codes(floor.harbour)
    step = Step.objects.get(kind="dispute-decided")
    withdraw(floor.harbour, step.entry_index, floor.cora)
    assert "DISPUTE-DECIDER" not in current_codes(floor.harbour)
    assert Finding.objects.get(code="DISPUTE-DECIDER").superseded_at is not None
    assert_log_is_whole(floor.harbour)


def test_a_payment_is_judged_anew_when_the_decision_before_it_was_withdrawn(floor: Floor) -> None:
    floor.open_table(NSW)
    dispute = floor.log()
    floor.decide(dispute, floor.gina)
    payment, decision = paid(floor, dispute), Step.objects.get(kind="dispute-decided")
    assert "DISPUTE-UNDECIDED-PAYMENT" not in current_codes(floor.harbour)
    foreseen = predicted_codes(floor.harbour, decision.entry_index, payment.entry_index)
    assert "DISPUTE-UNDECIDED-PAYMENT" in foreseen
    withdraw(floor.harbour, decision.entry_index, floor.gina)
    assert "DISPUTE-UNDECIDED-PAYMENT" in current_codes(floor.harbour)


def test_a_round_is_short_again_when_the_payment_for_it_was_withdrawn(floor: Floor) -> None:
    """NSW 7.1: total 10 pays 6 to 1. Ten dollars, nothing returned, seventy due; then seventy are paid."""
    floor.open_table(NSW)
    subject = floor.play(wagers=[wager(id="w", bet="total:10", stake=1_000, verdict="lose", returned=0)])
    dispute = floor.log(subject, wagers=["w"])
    floor.decide(dispute, floor.gina)
    assert "SETTLE-WINNER-UNPAID" in current_codes(floor.harbour)
    payment = paid(floor, dispute, "w")
    assert "SETTLE-WINNER-UNPAID" not in current_codes(floor.harbour)
    assert "SETTLE-WINNER-UNPAID" in predicted_codes(floor.harbour, payment.entry_index, dispute.subject_index)
    withdraw(floor.harbour, payment.entry_index, floor.sid)
    assert "SETTLE-WINNER-UNPAID" in current_codes(floor.harbour)


def test_a_prize_has_one_winner_when_the_other_was_withdrawn(crew: Crew) -> None:
    """`found` compares the stored findings with an evaluation of the whole log in memory."""
    draw = scheduled(crew)
    hold(crew, draw)
    first, second = win(crew, draw, "1"), win(crew, draw, "2")
    assert found(crew) == ["PROMO-PRIZE-TWICE"]
    assert predicted_codes(crew.harbour, first.entry_index, second.entry_index) == []
    withdraw(crew.harbour, first.entry_index, crew.mara)
    assert found(crew) == []
    assert list(Winner.objects.all()) == [second]
    assert win(crew, draw, "3").number == 3


def test_a_withdrawn_payment_of_a_prize_counts_no_more(crew: Crew) -> None:
    claim = claimed(crew, 10_000, VOUCHER)
    pay(crew, claim, HandoverType.CASH_ALTERNATIVE, 10_000)
    codes = found(crew)
    assert codes
    payment = Payment.objects.get()
    withdraw(crew.harbour, payment.entry_index, crew.cleo)
    assert found(crew) == []
    anew = pay_prize(
        claim=claim,
        form=HandoverType.AS_DESCRIBED,
        paid_at=AWARDED,
        statement="A dinner.",
        actor=crew.mara,
        now=AWARDED,
    )
    assert list(Payment.objects.all()) == [anew]


def test_a_winner_is_not_notified_when_the_attempt_was_withdrawn(crew: Crew) -> None:
    winner = won(crew, LATER)
    made: dict[str, Any] = {"method": "telephone", "is_reached": True, "actor": crew.mara}
    attempt = record_attempt(winner=winner, attempted_at=LATER + HOUR, now=LATER + HOUR, **made)
    a_day_passes(crew, LATER + 30 * DAY)
    assert found(crew) == []
    withdraw(crew.harbour, attempt.entry_index, crew.mara)
    a_day_passes(crew, LATER + 31 * DAY)
    assert found(crew) == ["PROMO-WINNER-LATE"]
