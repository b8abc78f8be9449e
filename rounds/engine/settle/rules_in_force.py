"""RulesInForce: the rule version and the facts of a table that govern its rounds during a period."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias

from rounds.engine.pack.compiled_rules import Rules, compile_rules
from rounds.engine.pack.pack_file import Pack
from rounds.engine.settle.settlement import PostedOdds, WagerLimits

Screen: TypeAlias = Literal["none", "plasma", "lcd"]


@dataclass(frozen=True)
class TableEquipment:
    """The table's equipment, as far as it is on record."""

    layout: str = ""
    screen: Screen = "none"
    has_touch_screen: bool = False
    shaker: Literal["none", "manual", "automated"] = "none"

    def has_item(self, needed: str) -> bool:
        """Whether the table has the equipment a pack's rule is limited to. An empty string means every table."""
        return needed in ("", f"{self.shaker}-shaker") or (needed == "touch-screen" and self.has_touch_screen)


@dataclass(frozen=True)
class RuleVersionRef:
    """Reference to a rule version. `entry_index` is the entry of its approval in the casino's log."""

    id: int
    rules: str
    number: int
    entry_index: int

    def __str__(self) -> str:
        return f"{self.rules}, version {self.number}"


@dataclass(frozen=True, eq=False)
class RulesInForce:
    """Everything that governs a table's rounds during a period in which nothing changes: rules, readings, the table's
    facts."""

    version: RuleVersionRef
    pack: Pack
    readings: Mapping[str, str]
    offered: frozenset[str]
    limits: WagerLimits = field(default_factory=WagerLimits)
    # By bet, where the sign states other limits for it.
    limits_by_bet: Mapping[str, WagerLimits] = field(default_factory=dict)
    posted_odds: Mapping[str, PostedOdds] = field(default_factory=dict)
    equipment: TableEquipment = field(default_factory=TableEquipment)
    streak_amount_cents: int | None = None
    pay_table: str | None = None
    pay_tables_by_terminal: Mapping[str, str] = field(default_factory=dict)

    def limits_for(self, bet: str) -> WagerLimits:
        return self.limits_by_bet.get(bet, self.limits)

    def pay_table_for(self, terminal: str | None) -> str | None:
        """The terminal's pay table; the table's own for a wager without a known terminal."""
        return self.pay_tables_by_terminal.get(terminal or "", self.pay_table)

    def rules_for_pay_table(self, pay_table: str) -> Rules:
        return compile_rules(self.pack, pay_table, self.readings)

    def commenced_at(self, events: Mapping[str, datetime]) -> datetime:
        return commenced_at(self.pack, events)


def commenced_at(pack: Pack, events: Mapping[str, datetime]) -> datetime:
    """The instant whose rules govern the round: the event that the document names, or the first event."""
    rule = pack.conduct.commencement
    return events.get(rule.event, min(events.values())) if rule else min(events.values())
