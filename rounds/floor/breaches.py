"""What a planned fact would break, from pack data: the screens stop it, or warn, and name the clause.

Never asked of what a table reports: that is recorded as it is, and judged by the audit.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import singledispatch

from compliance.accounts.models import Casino
from rounds.engine.errors import EngineError
from rounds.engine.odds import format_odds, parse_odds
from rounds.engine.packs import Pack
from rounds.engine.rules import BetRule
from rounds.floor.facts import STREAK, optional_wagers
from rounds.floor.models import Table
from rounds.floor.selectors import FactsAt, casino_facts_at, facts_at, pay_table_for
from rounds.floor.values import (
    Decks,
    Equipment,
    Limits,
    PayTable,
    PostedOdds,
    TableRules,
    TerminalLayout,
    Value,
    WagersOffered,
)
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.selectors import pack_of, rules_of, version_in_force


@dataclass(frozen=True)
class Breach:
    """One thing that is wrong with a plan. `field` is the member of the value; a warning stops nobody."""

    field: str
    sentence: str
    clause: str = ""
    is_stop: bool = True


@dataclass(frozen=True)
class Situation:
    """What the plan is judged against: the rules and the other facts at the instant it takes effect."""

    casino: Casino
    facts: FactsAt
    version: RuleVersion | None
    at: datetime

    @property
    def pack(self) -> Pack | None:
        return pack_of(self.version) if self.version else None


def situation_at(casino: Casino, table: Table | None, at: datetime) -> Situation:
    if table is None:
        return Situation(casino, casino_facts_at(casino, at), None, at)
    facts = facts_at(table, at)
    played = facts.get(TableRules)
    version = version_in_force(casino, played.rules, at) if played else None
    return Situation(casino, facts, version, at)


def planned_breaches(value: Value, casino: Casino, table: Table | None, at: datetime) -> list[Breach]:
    return list(breaches_of(value, situation_at(casino, table, at)))


@singledispatch
def breaches_of(value: Value, situation: Situation) -> Iterator[Breach]:
    """Most facts cannot break a rule by themselves."""
    yield from ()


@breaches_of.register
def _(value: TableRules, situation: Situation) -> Iterator[Breach]:
    if version_in_force(situation.casino, value.rules, situation.at) is None:
        yield Breach(
            "rules",
            f"No approved version of {value.rules} is in force at {situation.casino} at that instant, so nothing may "
            "be played under it.",
        )


@breaches_of.register
def _(value: PayTable, situation: Situation) -> Iterator[Breach]:
    if situation.pack and value.pay_table not in situation.pack.law.pay_table:
        tables = ", ".join(situation.pack.law.pay_table)
        yield Breach("pay_table", f"The rules of this table have no pay table {value.pay_table}, only {tables}.")


@breaches_of.register
def _(value: TerminalLayout, situation: Situation) -> Iterator[Breach]:
    layouts = [one.layout for one in situation.pack.law.pay_table.values()] if situation.pack else []
    if any(layouts) and value.layout not in layouts:
        yield Breach("layout", f"The rules of this table know the layouts {', '.join(layouts)}, not {value.layout}.")


@breaches_of.register
def _(value: Limits, situation: Situation) -> Iterator[Breach]:
    if value.min > value.max:
        yield Breach("min", "The minimum is above the maximum.")
    if value.unit is not None and value.unit > value.max:
        yield Breach("unit", "The unit is above the maximum, so no wager could be made.")
    duties = situation.pack.duties if situation.pack else None
    if duties is None:
        return
    if value.unit is not None and duties.limits_shown and not duties.limits_shown.may_state_a_unit:
        yield Breach("unit", "The rules of this table know no unit beside the minimum.", duties.limits_shown.clause)
    before, rule = situation.facts.get(Limits), duties.minimum_raise
    if rule and before and value.min > before.min:
        yield Breach(
            "min",
            f"This raises the minimum: a sign with the new minimum and the time of the change must stand at the table "
            f"for {rule.notice_minutes} minutes before it takes effect (clause {rule.clause}).",
            rule.clause,
            is_stop=False,
        )


@breaches_of.register
def _(value: Decks, situation: Situation) -> Iterator[Breach]:
    rule = situation.pack.conduct.cards if situation.pack else None
    if rule and not rule.fewest_decks <= value.decks <= rule.most_decks:
        yield Breach(
            "decks",
            f"A shoe holds {rule.fewest_decks} to {rule.most_decks} decks (clause {rule.clause}), not {value.decks}.",
            rule.clause,
        )


@breaches_of.register
def _(value: WagersOffered, situation: Situation) -> Iterator[Breach]:
    if situation.pack is None:
        return
    unknown = [wager for wager in value.wagers if wager not in optional_wagers(situation.pack)]
    if unknown:
        yield Breach("wagers", f"The rules of this table have no optional wager {', '.join(unknown)}.")
    if STREAK in value.wagers:
        yield from _streak_needs(situation.pack, situation.facts.get(Equipment), "wagers")


@breaches_of.register
def _(value: Equipment, situation: Situation) -> Iterator[Breach]:
    offered = situation.facts.get(WagersOffered)
    if situation.pack and offered and STREAK in offered.wagers:
        yield from _streak_needs(situation.pack, value, "layout")


def _streak_needs(pack: Pack, equipment: Equipment | None, field: str) -> Iterator[Breach]:
    rule = pack.duties.streak_offer
    if rule is None or pack.law.streak is None:
        return
    has_screen = equipment is not None and equipment.screen in rule.screens
    has_layout = equipment is not None and equipment.layout in rule.layouts
    if has_screen and has_layout:
        return
    screens, layouts = " or ".join(name.upper() if name == "lcd" else name for name in rule.screens), rule.layouts
    found = (
        "this table's equipment is not recorded"
        if equipment is None
        else f"this table has {'no' if equipment.screen == 'none' else 'a'} screen and layout {equipment.layout}"
    )
    yield Breach(
        field,
        f"{pack.law.streak.name} needs a {screens} screen and layout {' or '.join(layouts)} (clause {rule.clause}); "
        f"{found}.",
        rule.clause,
    )


@breaches_of.register
def _(value: PostedOdds, situation: Situation) -> Iterator[Breach]:
    version, pack = situation.version, situation.pack
    pay_table = pay_table_for(pack, situation.facts) if pack else None
    if version is None or pack is None or pay_table is None:
        return
    if pack.duties.posted_odds is None:
        yield Breach("odds", "Under the rules of this table odds are fixed; none are posted.")
        return
    rules = rules_of(version, pay_table)
    for code, posted in value.odds.items():
        rule = rules.bets.get(code)
        if rule is None:
            yield Breach(f"odds.{code}", f"The rules of this table have no wager {code}.")
        else:
            yield from _below_minimum(rule, posted, pack.duties.posted_odds.minimum_clause)


def _below_minimum(rule: BetRule, posted: str | tuple[str, ...], clause: str) -> Iterator[Breach]:
    levels = posted if isinstance(posted, tuple) else (posted,)
    field = f"odds.{rule.bet.code}"
    if len(levels) != len(rule.levels):
        yield Breach(field, f"{rule.name} is posted at {len(rule.levels)} levels, not at {len(levels)}.")
        return
    for text, pay in zip(levels, rule.levels, strict=True):
        try:
            odds = parse_odds(text)
        except EngineError as error:
            yield Breach(field, f"{rule.bet.code}: {error.message}.")
            continue
        if odds < pay.odds:
            yield Breach(
                field,
                f"{text} for {rule.bet.code} is below the minimum of {format_odds(pay.odds)} (clause {clause}).",
                clause,
            )
