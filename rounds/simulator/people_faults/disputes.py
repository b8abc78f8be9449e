"""Injectors: disputes not handled as the ladder of the rules requires. All are closed, so that none stays overdue."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from compliance.core.accounts.roles import Role
from compliance.disputes.entry_bodies import DecisionBody, PatronNotificationBody
from compliance.disputes.ladder.rungs import Ladder, Rung, ladder_of
from compliance.disputes.models import Dispute
from compliance.disputes.services import close_dispute, decide_dispute, log_dispute, record_decision, record_payment
from compliance.disputes.services import record_patron_notification as tell
from compliance.disputes.subject.disputed_entry import DisputedEntry, subject_at
from rounds.engine import Pack
from rounds.simulator.faults.injector import NoRoomForFault
from rounds.simulator.people_faults.promotions import claim_prize
from rounds.simulator.people_faults.record_injector import CasinoRecords, register_record_injector

MINUTE, SECOND = timedelta(minutes=1), timedelta(seconds=1)
WIN_CENTS = 5_000
# Lowest rank first: the fault uses the first role that may not decide.
OPERATOR_ROLES = (
    Role.GAMES_SUPERVISOR,
    Role.CASINO_SUPERVISOR,
    Role.SHIFT_MANAGER,
    Role.COMPLIANCE_OFFICER,
)


def _requires_rank(rung: Rung) -> bool:
    return rung.or_above or rung.stage == "review-if-requested"


def _has_ladder(pack: Pack) -> bool:
    return not ladder_of(pack).is_silent


def _names_first_decider(pack: Pack) -> bool:
    return _has_ladder(pack) and not _requires_rank(ladder_of(pack).rungs[0])


def _names_rank(pack: Pack) -> bool:
    return _has_ladder(pack) and any(_requires_rank(rung) for rung in ladder_of(pack).rungs)


def _log_dispute(house: CasinoRecords, **more: Any) -> tuple[Dispute, datetime]:
    """A dispute logged at the table, ten minutes after the round."""
    subject = house.next_undisputed_round()
    assert subject.read is not None
    at = subject.read.at + 10 * MINUTE
    if at > house.now - timedelta(hours=4):
        raise NoRoomForFault
    wagers = [subject.read.wagers[0].wager.id]
    by = house.person_in_role(*OPERATOR_ROLES)
    return _log(subject, wagers=wagers, grounds="not-paid", actor=by, now=at, **more), at


def _log_claim_dispute(house: CasinoRecords) -> tuple[Dispute, datetime]:
    """A dispute about a claim for a prize, logged ten minutes after it."""
    claim, claimed_at = claim_prize(house)
    subject, at = subject_at(house.casino, claim.entry_index), claimed_at + 10 * MINUTE
    assert subject is not None
    by = house.person_in_role(Role.COMPLIANCE_OFFICER)
    return _log(subject, wagers=[], grounds="promotion", actor=by, now=at), at


def _log(subject: DisputedEntry, **details: Any) -> Dispute:
    statement = "My chips lay there, and the dealer took them."
    return log_dispute(subject=subject, present=["dealer"], statement=statement, **details)


def _make_decision(outcome: str = "refused", **more: Any) -> DecisionBody:
    return DecisionBody(outcome=outcome, reasons="The film of the table shows where they lay.", **more)  # type: ignore[arg-type]


def _decide_by_ladder(house: CasinoRecords, dispute: Dispute, at: datetime, rung: int = 0, **details: Any) -> None:
    """A decision by a person in a role that the ladder names."""
    named = [role for role in Role if role in dispute.ladder.rungs[rung].roles]
    decide_dispute(
        dispute=dispute, rung=rung, decision=_make_decision(**details), actor=house.person_in_role(*named), now=at
    )


def _record_decision_by(house: CasinoRecords, dispute: Dispute, at: datetime, rung: int, roles: list[Role]) -> None:
    """A decision made a minute ago by a person in one of these roles, whether or not the ladder allows it."""
    role = next((role for role in roles if role in house.people), None)
    if role is None:
        raise NoRoomForFault
    record_decision(
        dispute=dispute,
        rung=rung,
        decision=_make_decision(),
        decider=house.people[role],
        role=role,
        at=at - MINUTE,
        actor=house.person_in_role(*OPERATOR_ROLES),
        now=at,
    )


def _roles_below_rank(ladder: Ladder, rung: int) -> list[Role]:
    step = ladder.rungs[rung]
    return [role for role in OPERATOR_ROLES if role not in step.roles | step.absent_roles]


def _notify_patron(house: CasinoRecords, dispute: Dispute, at: datetime, answer: str) -> None:
    note = PatronNotificationBody(told="The decision.", language="English", acknowledged="acknowledged", answer=answer)  # type: ignore[arg-type]
    tell(dispute=dispute, notification=note, actor=house.person_in_role(*OPERATOR_ROLES), now=at)


def _notify_and_close(
    house: CasinoRecords, dispute: Dispute, at: datetime, answer: str = "accepts", because: str = ""
) -> None:
    _notify_patron(house, dispute, at, answer)
    close_dispute(
        dispute=dispute,
        reason="It is over.",
        unadvised_because=because,
        actor=house.person_in_role(*OPERATOR_ROLES),
        now=at + MINUTE,
    )


def _record_fault(house: CasinoRecords, dispute: Dispute, says: str, **members: Any) -> None:
    house.record_fault(
        dispute.entry_index, says, at=dispute.logged_at, table=dispute.table, round=dispute.round, **members
    )


@register_record_injector("DISPUTE-DECIDER", fits=_names_first_decider)
def decide_by_unnamed_role(house: CasinoRecords) -> None:
    """A dispute is decided first by somebody whom the rules do not name; so is one about a claim for a prize."""
    loggers = {"": _log_dispute} | ({"claim": _log_claim_dispute} if house.pack.duties.promotions else {})
    for case, log in loggers.items():
        dispute, at = log(house)
        _record_decision_by(house, dispute, at + 3 * MINUTE, 0, _roles_below_rank(dispute.ladder, 0))
        _notify_and_close(house, dispute, at + 5 * MINUTE)
        _record_fault(house, dispute, "Somebody decided whom the rules do not name for it.", case=case)


@register_record_injector("DISPUTE-RANK", fits=_names_rank)
def decide_below_rank(house: CasinoRecords) -> None:
    """A dispute of each category that the rules name is decided, or reviewed, by somebody below the rank that it
    needs."""
    for category in ladder_of(house.pack).covers or ("",):
        dispute, at = _log_dispute(house, category=category)
        place = next(number for number, rung in enumerate(dispute.ladder.rungs) if _requires_rank(rung))
        for rung in range(place):
            _decide_by_ladder(house, dispute, at + 2 * MINUTE, rung)
            _notify_patron(house, dispute, at + 3 * MINUTE, "review")
        _record_decision_by(house, dispute, at + 6 * MINUTE, place, _roles_below_rank(dispute.ladder, place))
        _notify_and_close(house, dispute, at + 8 * MINUTE)
        _record_fault(house, dispute, "It was decided or reviewed below the rank that it needs.", case=category)


@register_record_injector("DISPUTE-SKIPPED", fits=lambda pack: _has_ladder(pack) and len(ladder_of(pack).rungs) > 1)
def skip_ladder_step(house: CasinoRecords) -> None:
    """A dispute goes to the last step at once; nobody had decided it first."""
    dispute, at = _log_dispute(house)
    last = len(dispute.ladder.rungs) - 1
    named = [role for role in Role if role in dispute.ladder.rungs[last].roles]
    _record_decision_by(house, dispute, at + 3 * MINUTE, last, named)
    _notify_and_close(house, dispute, at + 5 * MINUTE)
    _record_fault(house, dispute, "It went to the last step of the ladder at once.")


@register_record_injector("DISPUTE-NO-ADVICE", fits=lambda pack: ladder_of(pack).right is not None)
def close_without_advising_patron(house: CasinoRecords) -> None:
    """A dissatisfied patron goes away and nobody told them of their right; one who accepts need not be told."""
    for answer in ("not-satisfied", "accepts"):
        dispute, at = _log_dispute(house)
        _decide_by_ladder(house, dispute, at + 2 * MINUTE)
        is_due = answer == "not-satisfied"
        _notify_and_close(house, dispute, at + 4 * MINUTE, answer, "They had gone." if is_due else "")
        says = f"It was closed without advice; the patron's answer was: {answer}."
        _record_fault(house, dispute, says, case="breach" if is_due else "clear", finding=is_due)


@register_record_injector("DISPUTE-OVERDUE", fits=_has_ladder)
def decide_dispute_too_late(house: CasinoRecords) -> None:
    """The first decision comes a second after its time; another exactly at its time."""
    for case, off in (("over", SECOND), ("at", timedelta())):
        dispute, _ = _log_dispute(house)
        assert dispute.due_at is not None
        at = dispute.due_at + off
        _decide_by_ladder(house, dispute, at)
        _notify_and_close(house, dispute, at + MINUTE)
        says = f"The first decision came {off.total_seconds():.0f} s after its time."
        _record_fault(house, dispute, says, case=case, finding=case == "over")


@register_record_injector("DISPUTE-UNDECIDED-PAYMENT", fits=_has_ladder)
def pay_before_a_decision(house: CasinoRecords) -> None:
    """Money is handed over before anybody has decided; in another dispute, after the decision."""
    for is_early in (True, False):
        dispute, at = _log_dispute(house)
        paid_at = at + (MINUTE if is_early else 4 * MINUTE)
        for act_at, is_payment in sorted([(at + 2 * MINUTE, False), (paid_at, True)]):
            if is_payment:
                record_payment(
                    dispute=dispute,
                    way="paid",
                    amount_cents=WIN_CENTS,
                    wager="",
                    note="As a courtesy.",
                    actor=house.person_in_role(*OPERATOR_ROLES),
                    now=act_at,
                )
            else:
                _decide_by_ladder(house, dispute, act_at)
        _notify_and_close(house, dispute, at + 6 * MINUTE)
        says = f"{WIN_CENTS} cents were paid {'before' if is_early else 'after'} the decision."
        case = "breach" if is_early else "clear"
        _record_fault(house, dispute, says, case=case, finding=is_early, amount=WIN_CENTS)


@register_record_injector("DISPUTE-UPHELD")
def decide_for_the_patron(house: CasinoRecords) -> None:
    """A dispute is decided for the patron: the table had been wrong."""
    dispute, at = _log_dispute(house)
    _decide_by_ladder(house, dispute, at + 2 * MINUTE, outcome="upheld", amount_cents=WIN_CENTS)
    _notify_and_close(house, dispute, at + 4 * MINUTE)
    _record_fault(house, dispute, "It was decided for the patron.")
