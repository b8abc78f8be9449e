"""Amounts that a decision or payment is compared with before it is recorded: what the disputed wagers are owed, what
they could have won at best, what was decided and what is paid already. Warns only; every amount can be recorded."""

from __future__ import annotations

from fractions import Fraction

from compliance.disputes import entry_kinds
from compliance.disputes.models import Dispute, DisputedWager
from promotions.claims.entry_kinds import CLAIM
from rounds.engine import BETS, Pack, compile_rules
from rounds.engine.money import format_cents
from rounds.intake.entry_kinds import DISPUTE_PAID
from rounds.ledger import entry_at
from rounds.rulebook.selectors import pack_of

AGAINST_THE_PATRON = frozenset({"refused", "not-substantiated", "no-jurisdiction"})


def owed_cents(dispute: Dispute, outcome: str = "") -> int | None:
    """What the rules give for the disputed wagers beyond what was handed back; for void wagers, their stakes. For a
    claim, the value of its prize. None without either, or where the rules give no amount."""
    if dispute.subject_kind == CLAIM:
        return claimed_cents(dispute)
    total, wagers = 0, list(dispute.wagers.all())
    for wager in wagers:
        due = wager.stake_cents if outcome == "void" else wager.due_cents
        if due is None:
            return None
        total += max(due - (wager.returned_cents or 0), 0)
    return total if wagers else None


def claimed_cents(dispute: Dispute) -> int | None:
    claim = entry_at(dispute.casino.slug, dispute.subject_index)
    return int(claim.content()["value_cents"]) if claim else None


def largest_return_cents(dispute: Dispute) -> int | None:
    """The stakes and the best winnings of the disputed wagers. None if a table may post better odds than the rules
    list, or the rules do not list the wager."""
    wagers, total = list(dispute.wagers.all()), 0
    if dispute.version is None or not wagers:
        return None
    pack = pack_of(dispute.version)
    for wager in wagers:
        odds = _best_odds(pack, dispute.version.readings, wager)
        if odds is None:
            return None
        total += int(wager.stake_cents * (1 + odds))
    return total


def _best_odds(pack: Pack, readings: dict[str, str], wager: DisputedWager) -> Fraction | None:
    if wager.bet in BETS and BETS[wager.bet].is_streak:
        return max(pack.law.streak.pays.values()) if pack.law.streak else None
    compiled = [compile_rules(pack, name, readings) for name in pack.law.pay_table]
    levels = [level for rules in compiled if wager.bet in rules.bets for level in rules.bets[wager.bet].levels]
    return max((level.odds for level in levels), default=None) if not any(x.is_minimum for x in levels) else None


def decided_cents(dispute: Dispute) -> int | None:
    """The amount of the last decision or determination; None before one."""
    decided = dispute.steps.filter(kind__in=(entry_kinds.DECIDED, entry_kinds.DETERMINED)).last()
    return int(decided.said.get("amount_cents", 0)) if decided else None


def paid_cents(dispute: Dispute) -> int:
    paid = [step.said for step in dispute.steps.filter(kind=DISPUTE_PAID)]
    return sum(-said["amount_cents"] if said["way"] == "taken-back" else said["amount_cents"] for said in paid)


def describe_owed(dispute: Dispute) -> str:
    """Shown next to the amount."""
    owed = owed_cents(dispute)
    if owed is None:
        return ""
    if dispute.subject_kind == CLAIM:
        return f"The prize that was claimed has a value of {format_cents(owed)}."
    return f"By the rules and the record, {format_cents(owed)} is owed for the disputed wagers."


def doubts_about_decision(dispute: Dispute, outcome: str, cents: int) -> list[str]:
    doubts, amount = [], format_cents(cents)
    if cents and outcome in AGAINST_THE_PATRON:
        doubts.append(f"{amount} is to be paid although the outcome is against the patron.")
    return [*doubts, *_doubts_about_size(dispute, cents, owed_cents(dispute, outcome))]


def _doubts_about_size(dispute: Dispute, cents: int, owed: int | None) -> list[str]:
    doubts, largest, amount = [], largest_return_cents(dispute), format_cents(cents)
    if largest is not None and cents > largest:
        doubts.append(
            f"{amount} is more than the disputed wagers could ever return: {format_cents(largest)} with their stakes."
        )
    if owed is not None and cents > owed and dispute.subject_kind == CLAIM:
        doubts.append(f"{amount} is more than the {format_cents(owed)} that the claimed prize is worth.")
    elif owed is not None and cents > owed:
        doubts.append(f"{amount} is more than the {format_cents(owed)} that is owed for the disputed wagers.")
    return doubts


def doubts_about_payment(dispute: Dispute, way: str, cents: int) -> list[str]:
    """Against what was decided; before a decision, against what is owed."""
    amount, paid, decided = format_cents(cents), paid_cents(dispute), decided_cents(dispute)
    if way == "taken-back":
        handed = paid + sum(wager.returned_cents or 0 for wager in dispute.wagers.all())
        if dispute.wagers.exists() and cents > handed:
            return [f"{amount} is more than the {format_cents(handed)} that was handed to the patron."]
        return []
    if decided is None:
        return _doubts_about_size(dispute, cents + paid, owed_cents(dispute))
    if cents + paid == decided:
        return []
    so_far = f" {format_cents(paid)} was paid before." if paid else ""
    return [f"{amount} is not what remains to be paid: the decision gives {format_cents(decided)}.{so_far}"]
