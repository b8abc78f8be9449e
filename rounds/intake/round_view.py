"""RoundView: a reported round for display, with its events, result, wagers and the rules in force.

What its wagers are owed is computed by rounds.engine.settle, as in the audit; each wager links to the calculator.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from compliance.core.accounts.models import Casino, User
from compliance.core.web.errors import NotFound
from compliance.core.web.local_time import format_clock, format_local
from compliance.core.web.ui.components import Tag
from rounds.engine import (
    BETS,
    Rules,
    RulesInForce,
    Verdict,
    first_event_times,
    position_at_cut_off,
    settle_wager,
)
from rounds.engine.money import format_cents
from rounds.engine.settle import (
    DAMAGED_DICE,
    INVALIDATED,
    AmountOwed,
    LaterDecisions,
    LaterVoid,
    OwedReason,
    RoundToSettle,
    WagerPosition,
    WagerSettlement,
    commenced_at,
    compute_amount_owed,
    question_to_settle,
)
from rounds.floor.facts.rules_in_force import build_rules_in_force, version_ref
from rounds.floor.models import Table
from rounds.floor.permissions import MAY_READ
from rounds.floor.selectors import facts_at, pack_for, terminal_facts_at, version_for
from rounds.intake.entry_kinds import ROUND
from rounds.intake.protocol.round import Change, Round, Wager
from rounds.intake.round_records import (
    read_later_decisions,
    read_round_line,
    read_round_to_settle,
    streak_results,
)
from rounds.ledger import LogEntry, entry_at
from rounds.rulebook.calculator.question_link import question_url
from rounds.rulebook.labels import bet_label, box_name, void_reason_label
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.selectors import pack_of
from rounds.transparency_log import tree

# A refused wager is in no round, and an open streak wager is owed nothing yet.
UNSETTLED_VERDICTS = ("refused", "open")
VERDICT_TAGS = {
    "win": Tag("Won", "success"),
    "lose": Tag("Lost", "neutral"),
    "void": Tag("Void", "info"),
    "open": Tag("Still running", "warning"),
    "refused": Tag("Refused", "warning"),
    "forfeited": Tag("Forfeited", "warning"),
}
# By the reason of a later decision about the whole round.
VOID_LABELS = {INVALIDATED: "Invalidated", DAMAGED_DICE: "Void"}
VOID_SENTENCES = {
    INVALIDATED: "The outcome of this round was invalidated",
    DAMAGED_DICE: "This round was declared void because its dice were damaged",
}
VOID_REASON_PHRASES = {INVALIDATED: "an invalidated outcome", DAMAGED_DICE: "damaged dice"}
TENDER_LABELS = {
    "value-chips": "Value chips",
    "colour-checks": "Colour checks",
    "promotional-token": "Promotional token",
    "plaques": "Plaques",
    "terminal-credits": "Terminal credits",
    "cash": "Cash",
}


@dataclass(frozen=True)
class RoundView:
    """A reported round. `played` is None if the stored body cannot be parsed as a round; the entry is shown anyway.

    `rules` are those in force when the round commenced; None if there was no approved version."""

    casino: Casino
    entry: LogEntry
    at: datetime
    played: Round | None
    origin: Mapping[str, Any] = field(default_factory=dict)
    table: Table | None = None
    version: RuleVersion | None = None
    rules: Rules | None = None
    rules_in_force: RulesInForce | None = None

    @property
    def wagers(self) -> list["WagerView"]:
        return [WagerView(self, wager) for wager in self.played.wagers] if self.played else []

    @property
    def faces(self) -> tuple[int, ...] | None:
        return (self.played.dice or self.played.cards) if self.played else None

    def bet_name(self, code: str) -> str:
        return bet_label(code) if self.rules is None else box_name(self.rules, BETS[code])

    @cached_property
    def to_settle(self) -> RoundToSettle | None:
        """The round with everything recorded about it, by which its wagers are settled. None without rules."""
        if self.played is None or self.rules_in_force is None:
            return None
        return read_round_to_settle(self.entry, self.played, self.rules_in_force)

    @cached_property
    def later_decisions(self) -> LaterDecisions | None:
        if self.to_settle is not None:
            return self.to_settle.later_decisions
        return read_later_decisions(self.entry, self.played) if self.played else None

    @property
    def void_label(self) -> str:
        """A later decision that makes the whole round void, in one word. Empty if there is none, or if the rules do not
        let it."""
        decided, judged = self.later_decisions, self.to_settle.later_void if self.to_settle else None
        is_not_void = judged is not None and not judged.is_void
        return VOID_LABELS.get(decided.reason, "") if decided and not is_not_void else ""

    @property
    def void_text(self) -> str:
        """What was decided later about the whole round, and whether that makes it void; empty if nothing was."""
        decided = self.later_decisions
        if decided is None or not decided.reason:
            return ""
        when = f" on {format_local(decided.at, self.casino)}" if decided.at else ""
        entries = f"{'entry' if len(decided.sets) == 1 else 'entries'} {', '.join(f'{n:,}' for n in decided.sets)}"
        what = VOID_SENTENCES.get(decided.reason, void_reason_label(decided.reason))
        return f"{what}{when} ({entries}). {self._void_effect_text(decided.reason)}"

    def _void_effect_text(self, reason: str) -> str:
        judged = self.to_settle.later_void if self.to_settle else None
        if judged is None:
            return "No approved rules were in force, so nothing says whether that makes it void."
        return later_void_text(judged, reason, "this round")

    @property
    def void_owed_text(self) -> str:
        """What is still to be handed back because a later decision made the round void; empty if none did."""
        if self.to_settle is None or not self.to_settle.is_voided_later:
            return ""
        due = sum(wager.later_void_due_cents or 0 for wager in self.wagers)
        if due:
            return f"{format_cents(due)} in stakes is still to be handed back."
        return "Nothing more is to be handed back."

    @cached_property
    def positions(self) -> Mapping[str, WagerPosition]:
        """By wager id: each wager as it stood when betting closed. Streaks and wagers without rules: after all
        changes."""
        settled = {position.wager.id: position for position in self.to_settle.positions} if self.to_settle else {}
        reported = self.to_settle.round.wagers if self.to_settle else self.played.wagers if self.played else ()
        return {wager.id: settled.get(wager.id) or position_at_cut_off(wager, None) for wager in reported}


@dataclass(frozen=True)
class WagerView:
    """A wager with its bet and stake when betting closed."""

    round: RoundView
    wager: Wager

    @property
    def position(self) -> WagerPosition:
        return self.round.positions[self.wager.id]

    @property
    def owed(self) -> AmountOwed | None:
        """What it is owed. None without rules, and for streaks, which several rounds decide."""
        played = self.round.to_settle
        return None if played is None or BETS[self.wager.bet].is_streak else compute_amount_owed(played, self.position)

    @cached_property
    def settled_streak(self) -> WagerSettlement | None:
        """A streak wager settled by the results since it was placed. None if it was placed too long ago, or without
        rules. Raises EngineError if the rules give no verdict."""
        played = self.round.to_settle
        table = played.rules_in_force.pay_table_for(None) if played else None
        results = streak_results(self.round.entry, self.wager.id, played.rules_in_force) if played and table else None
        if played is None or table is None or results is None:
            return None
        rules = played.rules_in_force.rules_for_pay_table(table)
        question = played.streak_question(self.wager, *results)
        return WagerSettlement(rules, question, settle_wager(rules, question))

    @property
    def later_void_cents(self) -> int | None:
        """What it is owed because a later decision made it or its round void. None where none did, for a streak that
        goes on, and for a wager that was refused or forfeited."""
        played = self.round.to_settle
        if played is None or self.wager.verdict in UNSETTLED_VERDICTS:
            return None
        if BETS[self.wager.bet].is_streak:
            settled = self.settled_streak if played.is_voided_later else None
            is_void = settled is not None and settled.settlement.verdict is Verdict.VOID
            return settled.settlement.returned_cents if settled and is_void else None
        owed = compute_amount_owed(played, self.position)
        is_void = played.is_voided_later and owed.reason is not OwedReason.FORFEITED
        return owed.cents if is_void or owed.reason is OwedReason.DECLARED_VOID else None

    @property
    def later_void_due_cents(self) -> int | None:
        """What of that was not handed back yet."""
        cents = self.later_void_cents
        return None if cents is None else max(0, cents - (self.returned_cents or 0))

    @property
    def returned_cents(self) -> int | None:
        """What was returned with the round and later: after a dispute, or because it is void. None for a streak that is
        still open."""
        returned, decisions = self.position.wager.returned, self.round.later_decisions
        if returned is None and BETS[self.wager.bet].is_streak:
            return None
        return (returned or 0) + (decisions.refunds.get(self.wager.id, 0) if decisions else 0)

    @property
    def later_cents(self) -> int:
        """What was returned after the round was reported."""
        return (self.returned_cents or 0) - (self.wager.returned or 0)

    @property
    def payment_entries(self) -> Sequence[int]:
        """The entries of payments after a dispute."""
        return self.round.to_settle.payment_entries.get(self.wager.id, ()) if self.round.to_settle else ()

    @property
    def stake_cents(self) -> int:
        return self.position.stake_cents

    @property
    def bet(self) -> str:
        return self.position.bet

    @property
    def bet_label(self) -> str:
        return self.round.bet_name(self.bet)

    @property
    def holder(self) -> str:
        words = holder_text(self.wager)
        return words[:1].upper() + words[1:]

    @property
    def tender_lines(self) -> list[str]:
        wager = self.wager
        lines = [TENDER_LABELS[wager.tender]]
        if wager.chips:
            issued = f", issued at {wager.chips.issued_at}" if wager.chips.issued_at else ""
            lines.append(f"{wager.chips.colour}, {format_cents(wager.chips.value)} each{issued}")
        if wager.spoken:
            lines.append("Spoken")
        if wager.registered is not None:
            lines.append("Registered" if wager.registered else "Not registered by the terminal")
        if wager.within_box is not None:
            lines.append("Wholly within its box" if wager.within_box else "Not wholly within its box")
        if wager.warned:
            lines.append("Player had been warned")
        if wager.refusal:
            grounds = f" ({wager.refusal.grounds})" if wager.refusal.grounds else ""
            time = f" at {format_clock(wager.refusal.at, self.round.casino)}" if wager.refusal.at else ""
            lines.append(f"Refused{time}{grounds}")
        if wager.paid_in:
            lines.append(f"Paid in {TENDER_LABELS[wager.paid_in].lower()}")
        return lines

    @property
    def verdict(self) -> Tag:
        return VERDICT_TAGS[self.wager.verdict]

    @property
    def first_text(self) -> str:
        """The wager as it was placed, before any change."""
        return f"First {self.round.bet_name(self.wager.bet)}, {format_cents(self.wager.stake)}"

    def change_text(self, change: Change) -> str:
        to = f" to {format_cents(change.stake)}" if change.stake is not None else ""
        onto = f" to {self.round.bet_name(change.bet)}" if change.bet is not None else ""
        return f"{change.what.capitalize()}{onto}{to}"

    @property
    def calculator_href(self) -> str:
        """URL of the calculator, filled in and submitted. Empty where its answer would not be what is owed: for
        streaks, and for wagers that are not settled by their box."""
        version, played = self.round.version, self.round.to_settle
        if version is None or played is None or BETS[self.wager.bet].is_streak:
            return ""
        asked = question_to_settle(played, self.position)
        if asked is None:
            return ""
        rules, question = asked
        held = played.holdings[self.wager.id]
        if len(held.live_cents) == 1:
            question = replace(question, limits=held.limits)
        if played.void_grounds is not None:
            question = replace(question, void_reason=played.void_grounds.reason)
        return question_url(self.round.casino.slug, version, rules, question)


def later_void_text(judged: LaterVoid, reason: str, rounds: str) -> str:
    """Whether a decision makes these settled rounds void, and what is owed for them."""
    if judged.is_void:
        clauses = [f" (clause {each})" if each else "" for each in (judged.clause, judged.stakes_clause)]
        stakes = "every stake that is not declared forfeited" if judged.may_forfeit else "every stake"
        text = f"Under the rules in force{clauses[0]}, that makes {rounds} void, and {stakes} is owed back{clauses[1]}."
        return f"{text} {judged.streak} wagers follow their own rules." if judged.streak else text
    why = VOID_REASON_PHRASES.get(reason, void_reason_label(reason).lower())
    return (
        f"The rules in force do not void a settled round for {why}: "
        f"the result of {rounds} remains valid, and no stake is owed back because of it."
    )


def holder_text(wager: Wager) -> str:
    parts = (
        f"player {wager.player}" if wager.player else "",
        f"seat {wager.seat}" if wager.seat is not None else "",
        f"terminal {wager.terminal}" if wager.terminal else "",
    )
    return ", ".join(filter(None, parts))


def access_round(user: User, casino: Casino, index: int) -> RoundView:
    """A round of a casino whose floor the user may read. Missing, forbidden and other entries all raise NotFound."""
    entry = entry_at(casino.slug, index) if user.has_role(*MAY_READ, casino=casino) and index <= tree.MAX_SIZE else None
    if entry is None or entry.kind != ROUND:
        raise NotFound
    return read_round(casino, entry)


def read_round(casino: Casino, entry: LogEntry) -> RoundView:
    line = read_round_line(entry)
    if line is None:
        return RoundView(casino, entry, entry.recorded_at, None)
    table = Table.objects.filter(casino=casino, slug=entry.table or "").select_related("casino").first()
    read = RoundView(casino, entry, line.at, line.body, origin=line.origin or {}, table=table)
    return read if table is None else _with_rules(read, table, line.body)


def _with_rules(read: RoundView, table: Table, played: Round) -> RoundView:
    """Adds the rules in force. Two steps, because the pack defines which event commences a round: the first event finds
    the pack, the pack's event finds the version."""
    events = first_event_times(played)
    at = min(events.values())
    first_pack = pack_for(table, at)
    if first_pack is not None:
        at = commenced_at(first_pack, events)
    version = version_for(table, at)
    if version is None:
        return read
    pack = pack_of(version)
    terminals = terminal_facts_at(table, at) if len(pack.law.pay_table) > 1 else {}
    rules = build_rules_in_force(version_ref(version), pack, version.readings, facts_at(table, at), terminals)
    named_by = rules.rules_for_pay_table(rules.pay_table or next(iter(pack.law.pay_table)))
    return replace(read, version=version, rules=named_by, rules_in_force=rules)
