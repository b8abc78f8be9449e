"""What a document allows of what is decided about wagers and rounds: refusals, by when and on which grounds, tenders,
invalidated outcomes, and rounds voided after they were settled. A refusal that it does not allow leaves the wager in
play, because otherwise winnings could be withheld by calling the wager refused."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from rounds.engine.pack.pack_file import Pack
from rounds.engine.pack.round_conduct import Conduct
from rounds.engine.pack.table_duties import WagerRefusal
from rounds.engine.settle.reported_round import ReportedWager

REPEAT_OFFENDER_GROUNDS = "touching"
DAMAGED_DICE, INVALIDATED = "damaged-dice", "invalidated"


class RefusalState(StrEnum):
    """`UNPROVEN`: nothing says what the document asks for."""

    ALLOWED = "allowed"
    NOT_ALLOWED = "not-allowed"
    UNPROVEN = "unproven"


class RecordedRefusal(NamedTuple):
    """When a wager was refused and on which grounds, as far as it is known."""

    at: datetime | None
    grounds: str | None


class TenderBreach(NamedTuple):
    """What is accepted instead of the tender of a wager, and the clause."""

    accepted: str
    clause: str


class LaterVoid(NamedTuple):
    """Whether a decision makes settled rounds void, by which clause, and the clause that returns their stakes; empty
    where the document says nothing. Otherwise `valid_reasons` would. `streak`: the name of wagers that run over several
    rounds, which have rules of their own."""

    is_void: bool
    clause: str
    stakes_clause: str
    valid_reasons: tuple[str, ...]
    may_forfeit: bool
    streak: str


def judge_later_void(pack: Pack, reason: str, decided_as: str = "") -> LaterVoid:
    """The effect of voiding settled rounds for this reason, decided by somebody in this position: rounds are void if
    the document lets the reason reach settled rounds, or lets that position decide what it does not cover."""
    rule = next((rule for name, rule in pack.law.void.items() if name == reason), None)
    disputes = pack.duties.disputes
    uncovered = str(disputes.uncovered_clause or "") if disputes else ""
    # Invalidation is the only decision on a single outcome that applies after the round was settled.
    is_invalidated = reason == INVALIDATED and pack.duties.invalidation is not None
    is_listed = rule is not None and (rule.covers == "all-affected-rounds" or is_invalidated)
    stakes = (rule.stakes_clause if rule else None) or pack.law.settlement.void_stakes_clause
    return LaterVoid(
        is_listed or (bool(uncovered) and is_decider(pack, decided_as)),
        str(rule.clause) if rule else uncovered,
        str(stakes or ""),
        tuple(str(name) for name, each in pack.law.void.items() if each.covers == "all-affected-rounds"),
        rule is not None and rule.may_forfeit,
        pack.law.streak.name if pack.law.streak else "",
    )


def is_decider(pack: Pack, position: str) -> bool:
    """Whether this position decides cases that the document does not cover."""
    steps = pack.duties.disputes.steps if pack.duties.disputes else ()
    deciders = (pack.roles[step.decided_by] for step in steps if step.decided_by in pack.roles)
    return any(position in role.means for role in deciders)


def judge_refusal(duty: WagerRefusal, known: RecordedRefusal, cut_off_at: datetime | None) -> RefusalState:
    """Of a wager that stands on the layout: after the close it stays there."""
    if known.at is not None and cut_off_at is not None and known.at > cut_off_at:
        return RefusalState.NOT_ALLOWED
    if duty.reaches == "silent":
        return RefusalState.ALLOWED
    if duty.needs_grounds and not known.grounds:
        return RefusalState.UNPROVEN
    if duty.reaches == "before-no-more-bets":
        return RefusalState.UNPROVEN if known.at is None else RefusalState.ALLOWED
    return RefusalState.ALLOWED if known.grounds == REPEAT_OFFENDER_GROUNDS else RefusalState.NOT_ALLOWED


def find_invalidation_breaches(pack: Pack, grounds: str | None, position: str | None) -> list[str]:
    """What is wrong with the invalidation of an outcome: its grounds, or the position of who declared it. Empty where
    the document does not mention invalidations."""
    duty = pack.duties.invalidation
    if duty is None:
        return []
    breaches = [] if grounds in duty.grounds else ["without grounds"]
    if not duty.asks_rank or (position or "") in pack.roles[duty.by].means:
        return breaches
    return [*breaches, f"by a {position.replace('-', ' ')}" if position else "by a person not named"]


def find_tender_breach(conduct: Conduct, wager: ReportedWager) -> TenderBreach | None:
    """None where the tender is accepted or the document is silent."""
    tenders, spoken = conduct.tenders, conduct.spoken_wagers
    accepted = ", ".join(tenders.accepted) if tenders is not None else ""
    if wager.spoken and spoken is not None:
        is_missing = bool(spoken.accompanied_by) and wager.tender not in spoken.accompanied_by
        if is_missing or wager.tender in spoken.never_with:
            return TenderBreach(", ".join(spoken.accompanied_by) or accepted, spoken.clause)
    if tenders is not None and wager.tender not in tenders.accepted:
        is_named = wager.tender in tenders.refused and tenders.refused_clause is not None
        return TenderBreach(accepted, (tenders.refused_clause or "") if is_named else tenders.clause)
    return None
