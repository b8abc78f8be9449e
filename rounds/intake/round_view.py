"""RoundView: a reported round for display, with its events, result, wagers and the rules in force.

Shows what was reported and does not evaluate it: the audit does, and each wager links to the calculator.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

import msgspec
from django.urls import reverse

from compliance.core.accounts.models import Casino, User
from compliance.core.web.errors import NotFound
from compliance.core.web.ui.components import Tag
from compliance.core.web.ui.forms import dollars
from rounds.engine import BETS, Pack, Rules
from rounds.floor import fact_values
from rounds.floor.models import Table
from rounds.floor.permissions import MAY_READ
from rounds.floor.selectors import FactsAt, facts_at, pack_for, pay_table_for, terminal_facts_at, version_for
from rounds.intake.protocol.fields import PlayerLimits
from rounds.intake.protocol.round import Change, Round, Wager
from rounds.ledger import EntryError, LogEntry, entry_at, tree
from rounds.rulebook.labels import bet_label, box_name
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.selectors import pack_of, rules_of

ROUND = "round"
VERDICT_TAGS = {
    "win": Tag("Won", "success"),
    "lose": Tag("Lost", "neutral"),
    "void": Tag("Void", "info"),
    "open": Tag("Still running", "warning"),
    "refused": Tag("Refused", "warning"),
    "forfeited": Tag("Forfeited", "warning"),
}
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
    facts: FactsAt | None = None
    terminals: Mapping[str, FactsAt] = field(default_factory=dict)

    @property
    def wagers(self) -> list["WagerView"]:
        return [WagerView(self, wager) for wager in self.played.wagers] if self.played else []

    @property
    def faces(self) -> tuple[int, ...] | None:
        return (self.played.dice or self.played.cards) if self.played else None

    def bet_name(self, code: str) -> str:
        return bet_label(code) if self.rules is None else box_name(self.rules, BETS[code])

    def pay_table(self, terminal: str | None) -> str | None:
        if self.rules is None or self.facts is None:
            return None
        return pay_table_for(self.rules.pack, self.facts, self.terminals.get(terminal or ""))


@dataclass(frozen=True)
class WagerView:
    """A wager with its final bet and stake, after all changes."""

    round: RoundView
    wager: Wager

    @property
    def stake_cents(self) -> int:
        return next((each.stake for each in reversed(self.wager.changes) if each.stake is not None), self.wager.stake)

    @property
    def bet(self) -> str:
        return next((each.bet for each in reversed(self.wager.changes) if each.bet is not None), self.wager.bet)

    @property
    def is_withdrawn(self) -> bool:
        return bool(self.wager.changes) and self.wager.changes[-1].what == "withdrawn"

    @property
    def bet_label(self) -> str:
        return self.round.bet_name(self.bet)

    @property
    def holder(self) -> str:
        wager = self.wager
        parts = (
            f"Player {wager.player}" if wager.player else "",
            f"seat {wager.seat}" if wager.seat is not None else "",
            f"terminal {wager.terminal}" if wager.terminal else "",
        )
        words = ", ".join(filter(None, parts))
        return words[:1].upper() + words[1:]

    @property
    def tender_lines(self) -> list[str]:
        wager = self.wager
        lines = [TENDER_LABELS[wager.tender]]
        if wager.chips:
            lines.append(f"{wager.chips.colour}, {_format_money(wager.chips.value)} each")
        if wager.spoken:
            lines.append("Spoken")
        if wager.registered is not None:
            lines.append("Registered" if wager.registered else "Not registered by the terminal")
        if wager.warned:
            lines.append("Player had been warned")
        if wager.paid_in:
            lines.append(f"Paid in {TENDER_LABELS[wager.paid_in].lower()}")
        return lines

    @property
    def verdict(self) -> Tag:
        return VERDICT_TAGS[self.wager.verdict]

    @property
    def own_limits(self) -> PlayerLimits | None:
        """The limits of the player's own sign, if the rules allow such limits and the round reports them."""
        rules, played, wager = self.round.rules, self.round.played, self.wager
        if rules is None or played is None or rules.pack.duties.player_limits is None:
            return None
        of_this_player = {(wager.player, None), (None, wager.seat), (wager.player, wager.seat)}
        return next((own for own in played.player_limits if (own.player, own.seat) in of_this_player), None)

    @property
    def posted_odds(self) -> str | tuple[str, ...] | None:
        posted = self.round.facts.get(fact_values.PostedOdds) if self.round.facts else None
        return posted.odds.get(self.bet) if posted else None

    def change_text(self, change: Change) -> str:
        to = f" to {_format_money(change.stake)}" if change.stake is not None else ""
        onto = f" to {self.round.bet_name(change.bet)}" if change.bet is not None else ""
        return f"{change.what.capitalize()}{onto}{to}"

    @property
    def calculator_href(self) -> str:
        """URL of the calculator, filled in and submitted. Empty without rules, for streaks and for withdrawn wagers."""
        version, played = self.round.version, self.round.played
        if version is None or played is None or BETS[self.bet].is_streak or self.is_withdrawn:
            return ""
        query: dict[str, str] = {"rules": f"{version.rules}@{version.number}", "bet": self.bet}
        query["stake"] = dollars(self.stake_cents)
        query |= {f"dice-{number}": str(face) for number, face in enumerate(self.round.faces or (), 1)}
        if pay_table := self.round.pay_table(self.wager.terminal):
            query["pay_table"] = pay_table
        if limits := self.own_limits or played.limits:
            query |= {"minimum": dollars(limits.min), "maximum": dollars(limits.max)}
        if chip := self.round.facts.get(fact_values.SmallestChip) if self.round.facts else None:
            query["unit"] = dollars(chip.cents)
        if posted := self.posted_odds:
            query["posted"] = posted if isinstance(posted, str) else ", ".join(posted)
        if played.no_result:
            query["void"] = played.no_result.reason
        ticked = {
            "multiples": bool(played.limits and played.limits.multiples),
            "token": self.wager.tender == "promotional-token",
            "warned": self.wager.warned,
            "unregistered": self.wager.registered is False,
        }
        query |= {name: "on" for name, is_ticked in ticked.items() if is_ticked}
        address = reverse("rulebook:calculator", kwargs={"casino": self.round.casino.slug})
        return f"{address}?{urlencode({**query, 'ask': '1'})}"


def _format_money(cents: int) -> str:
    return f"${dollars(cents)}"


def access_round(user: User, casino: Casino, index: int) -> RoundView:
    """A round of a casino whose floor the user may read. Missing, forbidden and other entries all raise NotFound."""
    entry = entry_at(casino.slug, index) if user.has_role(*MAY_READ, casino=casino) and index <= tree.MAX_SIZE else None
    if entry is None or entry.kind != ROUND:
        raise NotFound
    return read_round(casino, entry)


def read_round(casino: Casino, entry: LogEntry) -> RoundView:
    try:
        content = entry.content()
        played = msgspec.convert(content["body"], Round)
        at = msgspec.convert(content["at"], datetime)
    except (EntryError, KeyError, msgspec.ValidationError):
        return RoundView(casino, entry, entry.recorded_at, None)
    table = Table.objects.filter(casino=casino, slug=entry.table or "").select_related("casino").first()
    read = RoundView(casino, entry, at, played, origin=content.get("origin") or {}, table=table)
    return read if table is None else _with_rules(read, table, played)


def commenced_at(played: Round, pack: Pack | None) -> datetime:
    """When the round commenced: at the event that the pack names, or at its first event if that is unknown."""
    begins_with = pack.conduct.commencement.event if pack and pack.conduct.commencement else None
    named = [event.at for event in played.events if event.name == begins_with]
    return min(named or [event.at for event in played.events])


def _with_rules(read: RoundView, table: Table, played: Round) -> RoundView:
    """Adds the rules in force. Two steps, because the pack defines which event commences a round: the first event finds
    the pack, the pack's event finds the version."""
    first = commenced_at(played, None)
    at = commenced_at(played, pack_for(table, first))
    facts = facts_at(table, at)
    version = version_for(table, at)
    if version is None:
        return read
    pack = pack_of(version)
    pay_table = pay_table_for(pack, facts) or next(iter(pack.law.pay_table))
    return replace(
        read,
        version=version,
        rules=rules_of(version, pay_table),
        facts=facts,
        terminals=terminal_facts_at(table, at) if len(pack.law.pay_table) > 1 else {},
    )
