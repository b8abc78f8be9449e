"""Checks of what was wagered and with what: approved and offered boxes, tender, the table's limits."""

from __future__ import annotations

from collections.abc import Iterator

from compliance.audit.checks.mistakes import is_set_aside, mistake_of
from compliance.audit.checks.positions import Held, Position, held_together, positions_of
from compliance.audit.checks.settlement import words
from compliance.audit.drafts import Draft, about_round, amount, wager_words
from compliance.audit.seen import RoundSeen
from rounds.engine.bets import BETS
from rounds.intake.kinds.round import Wager

OFFER, TENDER, LIMITS = "offer", "tender", "limits"


def judge_offer(seen: RoundSeen) -> Iterator[Draft]:
    """Every wager is one of the rule version's, and one that this table offers; a refused one was not taken."""
    for wager in seen.round.wagers:
        pay_table = seen.circumstances.pay_table_of(wager.terminal)
        if wager.verdict == "refused" or pay_table is None or _was_taken_before(wager):
            continue
        rules, what = seen.circumstances.rules(pay_table), wager_words(wager.bet, wager.stake, wager.id)
        if not rules.approves(wager.bet):
            yield about_round(
                seen, "WAGER-UNAPPROVED", OFFER, what=what, wager=wager.id, found_cents=wager.returned,
                required=f"{seen.circumstances.version}, pay table {pay_table}", found=amount(wager.returned),
                clause=seen.pack.law.pay_table[pay_table].clause,
            )  # fmt: skip
        elif wager.bet not in seen.circumstances.offered:
            boxes = [each for each in seen.pack.law.wager.values() if wager.bet in each.bets]
            yield about_round(
                seen, "WAGER-UNOFFERED", OFFER, what=what, wager=wager.id, found_cents=wager.returned,
                required="", found=amount(wager.returned), clause=(boxes[0].clause or "") if boxes else "",
            )  # fmt: skip


def _was_taken_before(wager: Wager) -> bool:
    """A Super Streak wager comes again in the round that ends it: what was wrong with taking it was said before."""
    return BETS[wager.bet].is_streak and wager.verdict != "open"


def judge_tender(seen: RoundSeen) -> Iterator[Draft]:
    """Tenders and spoken wagers. A tender that is not accepted does not alter the settlement."""
    for wager in seen.round.wagers:
        is_taken = wager.verdict != "refused" and not _was_taken_before(wager)
        fault = _tender_fault(seen, wager) if is_taken else None
        if fault is not None:
            required, clause = fault
            found = f"{wager.tender}, spoken" if wager.spoken else wager.tender
            what = wager_words(wager.bet, wager.stake, wager.id)
            yield about_round(
                seen, "WAGER-TENDER", TENDER, what=what, wager=wager.id, required=required, found=found, clause=clause
            )


def _tender_fault(seen: RoundSeen, wager: Wager) -> tuple[str, str] | None:
    """What might have been used, and the clause that says so; None where it is accepted or the document is silent."""
    tenders, spoken = seen.pack.conduct.tenders, seen.pack.conduct.spoken_wagers
    accepted = ", ".join(tenders.accepted) if tenders is not None else ""
    if wager.spoken and spoken is not None:
        is_missing = bool(spoken.accompanied_by) and wager.tender not in spoken.accompanied_by
        if is_missing or wager.tender in spoken.never_with:
            return ", ".join(spoken.accompanied_by) or accepted, spoken.clause
    if tenders is not None and wager.tender not in tenders.accepted:
        is_named = wager.tender in tenders.refused and tenders.refused_clause is not None
        return accepted, (tenders.refused_clause or "") if is_named else tenders.clause
    return None


def judge_limits(seen: RoundSeen) -> Iterator[Draft]:
    """Wagers outside the limits, for the record: where the money was handled wrongly, the settlement check says so."""
    settlement, shown = seen.pack.law.settlement, seen.pack.duties.limits_shown
    positions = positions_of(seen)
    together = held_together(seen, positions)
    for position in positions:
        held = together.get(position.wager.id)
        if held is None or position.wager.verdict == "refused" or is_set_aside(seen, position):
            continue
        over, under = settlement.over_maximum, settlement.under_minimum
        if held.is_over and (over or shown) and _is_over_itself(position, held):
            clause = over.clause if over else shown.clause if shown else ""
            yield from _note(seen, position, held, "LIMIT-OVER-MAX", clause, is_silent=over is None)
        elif held.is_under and (under or shown):
            clause = under.clause if under else shown.clause if shown else ""
            yield from _note(seen, position, held, "WAGER-UNDER-MIN", clause, is_silent=under is None)


def _is_over_itself(position: Position, held: Held) -> bool:
    """Of several wagers on one box only those are named that reach above the maximum: the last placed ones."""
    return held.live_cents[position.wager.id] < position.stake_cents


def _note(
    seen: RoundSeen, position: Position, held: Held, code: str, clause: str, *, is_silent: bool
) -> Iterator[Draft]:
    mistake = mistake_of(seen, position, held)
    if mistake is not None and mistake.code in ("SETTLE-CLIP", "WAGER-UNDER-MIN"):
        return
    limit = held.limits.maximum_cents if code == "LIMIT-OVER-MAX" else held.limits.minimum_cents
    yield about_round(
        seen, code, LIMITS, what=words(position), required=amount(limit), found=amount(position.wager.returned),
        wager=position.wager.id, clause=clause, is_silent=is_silent, found_cents=position.wager.returned,
    )  # fmt: skip
