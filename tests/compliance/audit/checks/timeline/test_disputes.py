"""Checks of disputes: each wrong step is reported with its clause, right ones are not; payments count."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from pytest_django import Settings

from compliance.audit.detection_matrix import PlantedFault, findings_at_planted_tables
from compliance.audit.models import Finding
from compliance.audit.run.worker import audit_log
from compliance.core.accounts.models import User
from compliance.core.accounts.roles import Role
from compliance.disputes.entry_bodies import DecisionBody
from compliance.disputes.models import Dispute, Step
from compliance.disputes.services import (
    advise_patron,
    answer_request,
    close_dispute,
    decide_dispute,
    record_complaint,
    record_decision,
    record_payment,
    request_from_operator,
)
from compliance.disputes.services.reminders import remind_of_overdue, remind_of_requests
from compliance.notify.alerts.models import Alert
from rounds.ledger import append, make_entry
from tests.compliance.disputes.disputed_round import (
    BODIES,
    MINUTE,
    NOW,
    NSW,
    PLAYED,
    RWS,
    SKYCITY,
    Floor,
    make_disputed_floor,
    subject_at,
)
from tests.compliance.disputes.subject.test_assessment import wager

pytestmark = pytest.mark.django_db


@pytest.fixture
def floor(tmp_path: Path, settings: Settings) -> Floor:
    return make_disputed_floor(tmp_path, settings)


def audited(floor: Floor, start: str = "DISPUTE") -> list[tuple[str, str]]:
    """Codes and clauses of the current findings."""
    list(audit_log(floor.harbour))
    rows = Finding.objects.current().filter(code__startswith=start).order_by("subject_index", "code")
    return list(rows.values_list("code", "clause"))


def made(floor: Floor, dispute: Dispute, by: User, role: Role, rung: int = 0, **said: Any) -> None:
    """A decision made at the table and recorded by Sid."""
    told = {"outcome": "refused", "reasons": "The chips lay on nine.", **said}
    record_decision(
        dispute=dispute,
        rung=rung,
        decision=DecisionBody(**told),
        decider=by,
        role=role,
        at=NOW + MINUTE,
        actor=floor.sid,
        now=NOW + 5 * MINUTE,
    )


def test_nothing_is_wrong_with_a_ladder_that_was_kept(floor: Floor) -> None:
    floor.open_table(NSW)
    dispute = floor.log()
    floor.decide(dispute, floor.gina)
    floor.tell(dispute, "review")
    floor.decide(dispute, floor.sid, rung=1)
    floor.tell(dispute, "not-satisfied")
    advise_patron(dispute=dispute, how="spoken", language="English", actor=floor.sid, now=NOW + 20 * MINUTE)
    close_dispute(dispute=dispute, reason="Over.", actor=floor.sid, now=NOW + 20 * MINUTE)
    assert audited(floor) == []


def test_decided_by_somebody_the_rules_do_not_name(floor: Floor) -> None:
    """SkyCity 8.h: the House, not a games supervisor. NSW 9.12: a casino supervisor only where no other was there."""
    floor.open_table(SKYCITY)
    made(floor, floor.log(wagers=[]), floor.gina, Role.GAMES_SUPERVISOR)
    assert audited(floor) == [("DISPUTE-DECIDER", "8.h")]
    assert (
        Finding.objects.get(code="DISPUTE-DECIDER").sentence
        == "Dispute D-1 was decided by a games supervisor; the House decides it."
    )


def test_reviewed_by_whoever_decided_first_and_by_too_low_a_rank(floor: Floor) -> None:
    floor.open_table(NSW)
    first, second = floor.log(), floor.log(floor.play("R-2"))
    for dispute, reviewer, role in (
        (first, floor.sid, Role.CASINO_SUPERVISOR),
        (second, floor.gina, Role.GAMES_SUPERVISOR),
    ):
        made(floor, dispute, floor.sid, Role.CASINO_SUPERVISOR, in_absence=True)
        floor.tell(dispute, "review")
        made(floor, dispute, reviewer, role, rung=1)
    assert audited(floor) == [("DISPUTE-RANK", "9.12"), ("DISPUTE-RANK", "9.12")]
    assert (
        "who had decided it first"
        in Finding.objects.filter(code__startswith="DISPUTE").order_by("subject_index")[0].sentence
    )


def test_rws_below_the_shift_manager(floor: Floor) -> None:
    floor.open_table(RWS)
    made(floor, floor.log(wagers=[]), floor.sid, Role.CASINO_SUPERVISOR)
    assert audited(floor) == [("DISPUTE-RANK", "5.10")]


def test_a_step_was_skipped(floor: Floor) -> None:
    floor.open_table(NSW)
    dispute = floor.log()
    made(floor, dispute, floor.cora, Role.COMPLIANCE_OFFICER, rung=2)
    assert audited(floor) == [("DISPUTE-SKIPPED", "9.12")]


@pytest.mark.parametrize("answer", ["not-satisfied", "accepts"])
def test_closed_without_advice(floor: Floor, answer: str) -> None:
    floor.open_table(NSW)
    dispute = floor.log()
    floor.decide(dispute, floor.gina)
    floor.tell(dispute, answer)
    close_dispute(
        dispute=dispute, reason="Over.", unadvised_because="Walked out.", actor=floor.sid, now=NOW + 9 * MINUTE
    )
    assert audited(floor) == ([("DISPUTE-NO-ADVICE", "9.13")] if answer == "not-satisfied" else [])


@pytest.mark.parametrize(("seconds", "found"), [(-1, False), (0, False), (1, True)], ids=["under", "at", "over"])
def test_the_first_decision_is_due_in_two_hours(floor: Floor, seconds: int, found: bool) -> None:
    floor.open_table(NSW)
    dispute = floor.log()
    at = NOW + timedelta(hours=2, seconds=seconds)
    said = DecisionBody(outcome="refused", reasons="Nine.")
    decide_dispute(dispute=dispute, rung=0, decision=said, actor=floor.gina, now=at)
    assert audited(floor) == ([("DISPUTE-OVERDUE", "")] if found else [])


def reminded(at: datetime) -> int:
    return remind_of_overdue(now=at)


def test_somebody_is_reminded_once_and_the_audit_sees_it(floor: Floor) -> None:
    floor.open_table(NSW)
    floor.log()
    assert reminded(NOW + timedelta(hours=2)) == 0
    late = NOW + timedelta(hours=2, seconds=1)
    assert (reminded(late), reminded(late)) == (1, 0)
    assert Alert.objects.get().to == [Role.SHIFT_MANAGER, Role.COMPLIANCE_OFFICER]
    assert audited(floor) == [("DISPUTE-OVERDUE", "")]


@pytest.mark.parametrize(("entries_before", "is_counted"), [(0, True), (1, False)])
def test_an_alert_about_an_earlier_dispute_is_no_finding_of_a_play(
    floor: Floor, entries_before: int, is_counted: bool
) -> None:
    floor.open_table(NSW)
    # From paper, so that no line of a controller says when it was.
    line = {"kind": "round", "table": "sb-1", "at": PLAYED.isoformat(), "body": BODIES["round"]}
    with transaction.atomic():
        [receipt] = append("harbour", [make_entry("round", line, table="sb-1")], PLAYED)
    dispute = floor.log(subject_at(floor.harbour, receipt.index))
    reminded(NOW + timedelta(hours=3))
    audited(floor)
    figures = {"first": 100, "last": 200, "entries_before": entries_before * (dispute.entry_index + 1)}
    played = PlantedFault(code="FEED-LATE", casino="harbour", table="sb-1", case="replayed", figures=figures)
    codes = [finding.code for finding in findings_at_planted_tables([played])]
    assert ("DISPUTE-OVERDUE" in codes) == is_counted


def asked_by_the_inspector(floor: Floor) -> Step:
    """By Wednesday 18 November 2026, which ends in Sydney at 13:00 UTC."""
    floor.open_table(NSW)
    dispute = floor.log()
    record_complaint(dispute=dispute, received="writing", actor=floor.ines, now=NOW + MINUTE)
    return request_from_operator(
        dispute=dispute,
        what="information",
        question="Who dealt?",
        due_on=date(2026, 11, 18),
        actor=floor.ines,
        now=NOW + MINUTE,
    )


DAY_ENDS = datetime(2026, 11, 18, 13, 0, tzinfo=UTC)


@pytest.mark.parametrize(("seconds", "found"), [(-1, False), (0, False), (1, True)], ids=["under", "at", "over"])
def test_an_answer_to_the_inspector_after_its_day(floor: Floor, seconds: int, found: bool) -> None:
    asked = asked_by_the_inspector(floor)
    at = DAY_ENDS + timedelta(seconds=seconds)
    answered = answer_request(dispute=asked.dispute, request=asked.entry_index, text="D-112.", actor=floor.sid, now=at)
    assert answered.is_late is found
    assert audited(floor) == ([("DISPUTE-OVERDUE", "")] if found else [])


def test_the_operator_is_reminded_once_of_a_request_that_nobody_answered(floor: Floor) -> None:
    asked = asked_by_the_inspector(floor)
    assert remind_of_requests(now=DAY_ENDS - timedelta(seconds=1)) == 0
    assert [remind_of_requests(now=DAY_ENDS) for _ in range(2)] == [1, 0]
    alert = Alert.objects.get()
    assert (alert.to, alert.about_index) == ([Role.SHIFT_MANAGER, Role.COMPLIANCE_OFFICER], asked.entry_index)
    assert audited(floor) == [("DISPUTE-OVERDUE", "")]


def test_nobody_is_reminded_of_a_request_that_was_answered(floor: Floor) -> None:
    asked = asked_by_the_inspector(floor)
    answer_request(dispute=asked.dispute, request=asked.entry_index, text="D-112.", actor=floor.sid, now=NOW + MINUTE)
    assert remind_of_requests(now=DAY_ENDS + timedelta(days=9)) == 0


def test_a_payment_before_a_decision(floor: Floor) -> None:
    floor.open_table(NSW)
    dispute = floor.log()
    paid: dict[str, Any] = {"way": "paid", "amount_cents": 7_000, "wager": "", "note": "", "actor": floor.sid}
    record_payment(dispute=dispute, **paid, now=NOW + MINUTE)
    floor.decide(dispute, floor.gina)
    record_payment(dispute=dispute, **paid, now=NOW + 6 * MINUTE)
    assert audited(floor) == [("DISPUTE-UNDECIDED-PAYMENT", "9.12")]
    assert "was paid $70.00 before a decision" in Finding.objects.get(code__startswith="DISPUTE").sentence


def test_an_upheld_dispute_raises_a_finding_and_its_payment_settles_the_round(floor: Floor) -> None:
    """NSW 7.1: total 10 pays 6 to 1. Ten dollars, nothing returned, seventy due; then seventy are paid."""
    floor.open_table(NSW)
    subject = floor.play(wagers=[wager(id="w", bet="total:10", stake=1_000, verdict="lose", returned=0)])
    assert audited(floor, "SETTLE") == [("SETTLE-WINNER-UNPAID", "3.1.6")]
    dispute = floor.log(subject, wagers=["w"])
    floor.decide(dispute, floor.gina, outcome="upheld", amount_cents=7_000)
    assert [code for code, _ in audited(floor)] == ["DISPUTE-UPHELD"]
    said = Finding.objects.get(code="DISPUTE-UPHELD").sentence
    assert said == "Dispute D-1 was upheld: $0.00 had been handed back, $70.00 was due."
    record_payment(
        dispute=dispute, way="paid", amount_cents=7_000, wager="w", note="", actor=floor.sid, now=NOW + 8 * MINUTE
    )
    assert audited(floor, "SETTLE") == []
    assert [code for code, _ in audited(floor)] == ["DISPUTE-UPHELD"]


def test_a_payment_that_is_part_of_the_amount_found_is_evidence(floor: Floor) -> None:
    """Seventy due, fifty paid after the dispute; ten more for no wager in particular change no wager."""
    floor.open_table(NSW)
    subject = floor.play(wagers=[wager(id="w", bet="total:10", stake=1_000, verdict="lose", returned=0)])
    dispute = floor.log(subject, wagers=["w"])
    paid: dict[str, Any] = {"dispute": dispute, "way": "paid", "note": "", "actor": floor.sid, "now": NOW + MINUTE}
    record_payment(amount_cents=1_000, wager="", **paid)
    step = record_payment(amount_cents=5_000, wager="w", **paid)
    assert audited(floor, "SETTLE") == [("SETTLE-UNDERPAID", "7.1")]
    finding = Finding.objects.get(code="SETTLE-UNDERPAID")
    assert (finding.required_cents, finding.found_cents) == (7_000, 5_000)
    assert finding.evidence[:2] == [subject.entry.index, step.entry_index]
    assert len(finding.evidence) == 3
