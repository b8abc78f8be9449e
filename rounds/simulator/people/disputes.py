"""Disputes that were not dealt with as their ladder says. All of them end: nobody is reminded of them later."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from compliance.accounts.roles import Role
from compliance.disputes.ladder import Ladder, Rung, ladder_of
from compliance.disputes.models import Dispute
from compliance.disputes.said import Decision, Telling
from compliance.disputes.services import close_dispute, decide_dispute, log_dispute, record_decision, record_payment
from compliance.disputes.services import tell_patron as tell
from rounds.engine.packs import Pack
from rounds.simulator.faults.injector import NoRoom
from rounds.simulator.people.records import Records, records

MINUTE, SECOND = timedelta(minutes=1), timedelta(seconds=1)
A_WIN = 5_000
# From the lowest rank up: the first who may not decide is the one who does.
OPERATOR = (
    Role.GAMES_SUPERVISOR,
    Role.CASINO_SUPERVISOR,
    Role.SHIFT_MANAGER,
    Role.COMPLIANCE_OFFICER,
)


def _is_about_rank(rung: Rung) -> bool:
    return rung.or_above or rung.stage == "review-if-requested"


def _has_ladder(pack: Pack) -> bool:
    return not ladder_of(pack).is_silent


def _names_first_decider(pack: Pack) -> bool:
    return _has_ladder(pack) and not _is_about_rank(ladder_of(pack).rungs[0])


def _names_rank(pack: Pack) -> bool:
    return _has_ladder(pack) and any(_is_about_rank(rung) for rung in ladder_of(pack).rungs)


def _logged(house: Records) -> tuple[Dispute, datetime]:
    """Ten minutes after the round, at the table."""
    subject = house.next_round()
    assert subject.read is not None
    at = subject.read.at + 10 * MINUTE
    if at > house.now - timedelta(hours=4):
        raise NoRoom
    dispute = log_dispute(
        subject=subject, wagers=[subject.read.wagers[0].wager.id], grounds="not-paid", present=["dealer"],
        statement="My chips lay there, and the dealer took them.", actor=house.who(*OPERATOR), now=at,
    )  # fmt: skip
    return dispute, at


def _said(outcome: str = "refused", **more: Any) -> Decision:
    return Decision(outcome=outcome, reasons="The film of the table shows where they lay.", **more)  # type: ignore[arg-type]


def _decide(house: Records, dispute: Dispute, at: datetime, rung: int = 0, **said: Any) -> None:
    """By somebody whom the ladder names."""
    named = [role for role in Role if role in dispute.ladder.rungs[rung].roles]
    decide_dispute(dispute=dispute, rung=rung, decision=_said(**said), actor=house.who(*named), now=at)


def _write_down(house: Records, dispute: Dispute, at: datetime, rung: int, roles: list[Role]) -> None:
    """A decision made a minute ago by somebody in one of these roles, whoever may decide."""
    role = next((role for role in roles if role in house.people), None)
    if role is None:
        raise NoRoom
    record_decision(
        dispute=dispute, rung=rung, decision=_said(), decider=house.people[role], role=role, at=at - MINUTE,
        actor=house.who(*OPERATOR), now=at,
    )  # fmt: skip


def _without_rank(ladder: Ladder, rung: int) -> list[Role]:
    step = ladder.rungs[rung]
    return [role for role in OPERATOR if role not in step.roles | step.absent_roles]


def _tell(house: Records, dispute: Dispute, at: datetime, answer: str) -> None:
    said = Telling(told="The decision.", language="English", acknowledged="acknowledged", answer=answer)  # type: ignore[arg-type]
    tell(dispute=dispute, telling=said, actor=house.who(*OPERATOR), now=at)


def _end(house: Records, dispute: Dispute, at: datetime, answer: str = "accepts", because: str = "") -> None:
    _tell(house, dispute, at, answer)
    close_dispute(
        dispute=dispute, reason="It is over.", unadvised_because=because, actor=house.who(*OPERATOR), now=at + MINUTE
    )


def _plant(house: Records, code: str, dispute: Dispute, says: str, **members: Any) -> None:
    house.plant(
        code, dispute.entry_index, says, at=dispute.logged_at, table=dispute.table, round=dispute.round, **members
    )


@records("DISPUTE-DECIDER", fits=_names_first_decider)
def decided_by_somebody_else(house: Records) -> None:
    """A dispute is decided first by somebody whom the rules do not name."""
    dispute, at = _logged(house)
    _write_down(house, dispute, at + 3 * MINUTE, 0, _without_rank(dispute.ladder, 0))
    _end(house, dispute, at + 5 * MINUTE)
    _plant(house, "DISPUTE-DECIDER", dispute, "Somebody decided whom the rules do not name for it.")


@records("DISPUTE-RANK", fits=_names_rank)
def decided_below_rank(house: Records) -> None:
    """A dispute is decided, or reviewed, by somebody below the rank that it needs."""
    dispute, at = _logged(house)
    place = next(number for number, rung in enumerate(dispute.ladder.rungs) if _is_about_rank(rung))
    for rung in range(place):
        _decide(house, dispute, at + 2 * MINUTE, rung)
        _tell(house, dispute, at + 3 * MINUTE, "review")
    _write_down(house, dispute, at + 6 * MINUTE, place, _without_rank(dispute.ladder, place))
    _end(house, dispute, at + 8 * MINUTE)
    _plant(house, "DISPUTE-RANK", dispute, "It was decided or reviewed below the rank that it needs.")


@records("DISPUTE-SKIPPED", fits=lambda pack: _has_ladder(pack) and len(ladder_of(pack).rungs) > 1)
def leave_out_a_step(house: Records) -> None:
    """A dispute goes to the last step at once; nobody had decided it first."""
    dispute, at = _logged(house)
    last = len(dispute.ladder.rungs) - 1
    named = [role for role in Role if role in dispute.ladder.rungs[last].roles]
    _write_down(house, dispute, at + 3 * MINUTE, last, named)
    _end(house, dispute, at + 5 * MINUTE)
    _plant(house, "DISPUTE-SKIPPED", dispute, "It went to the last step of the ladder at once.")


@records("DISPUTE-NO-ADVICE", fits=lambda pack: ladder_of(pack).right is not None)
def close_without_advice(house: Records) -> None:
    """A dissatisfied patron goes away and nobody told them of their right; one who accepts need not be told."""
    for answer in ("not-satisfied", "accepts"):
        dispute, at = _logged(house)
        _decide(house, dispute, at + 2 * MINUTE)
        is_due = answer == "not-satisfied"
        _end(house, dispute, at + 4 * MINUTE, answer, "They had gone." if is_due else "")
        says = f"It was closed without advice; the patron's answer was: {answer}."
        _plant(house, "DISPUTE-NO-ADVICE", dispute, says, case="breach" if is_due else "clear", finding=is_due)


@records("DISPUTE-OVERDUE", fits=_has_ladder)
def decide_too_late(house: Records) -> None:
    """The first decision comes a second after its time; another exactly at its time."""
    for case, off in (("over", SECOND), ("at", timedelta())):
        dispute, _ = _logged(house)
        assert dispute.due_at is not None
        at = dispute.due_at + off
        _decide(house, dispute, at)
        _end(house, dispute, at + MINUTE)
        says = f"The first decision came {off.total_seconds():.0f} s after its time."
        _plant(house, "DISPUTE-OVERDUE", dispute, says, case=case, finding=case == "over")


@records("DISPUTE-UNDECIDED-PAYMENT", fits=_has_ladder)
def pay_before_a_decision(house: Records) -> None:
    """Money is handed over before anybody has decided; in another dispute, after the decision."""
    for is_early in (True, False):
        dispute, at = _logged(house)
        paid_at = at + (MINUTE if is_early else 4 * MINUTE)
        for act_at, is_payment in sorted([(at + 2 * MINUTE, False), (paid_at, True)]):
            if is_payment:
                record_payment(
                    dispute=dispute, way="paid", amount_cents=A_WIN, wager="", note="As a courtesy.",
                    actor=house.who(*OPERATOR), now=act_at,
                )  # fmt: skip
            else:
                _decide(house, dispute, act_at)
        _end(house, dispute, at + 6 * MINUTE)
        says = f"{A_WIN} cents were paid {'before' if is_early else 'after'} the decision."
        case = "breach" if is_early else "clear"
        _plant(house, "DISPUTE-UNDECIDED-PAYMENT", dispute, says, case=case, finding=is_early, amount=A_WIN)


@records("DISPUTE-UPHELD")
def decide_for_the_patron(house: Records) -> None:
    """A dispute is decided for the patron: the table had been wrong."""
    dispute, at = _logged(house)
    _decide(house, dispute, at + 2 * MINUTE, outcome="upheld", amount_cents=A_WIN)
    _end(house, dispute, at + 4 * MINUTE)
    _plant(house, "DISPUTE-UPHELD", dispute, "It was decided for the patron.")
