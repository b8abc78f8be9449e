"""Which rules a fact breaks, from pack data. Forms refuse such a plan, and cite the clause.

What a controller reports is recorded regardless: the table's page marks the breach, and the audit judges it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import singledispatch

from compliance.core.accounts.models import Casino
from rounds.engine import EngineError, Pack, Rules, odds, parse_odds, settle
from rounds.engine import pack as engine_pack
from rounds.floor.fact_catalogue import STREAK, optional_wagers
from rounds.floor.fact_values import (
    DecksValue,
    EquipmentValue,
    FactValue,
    LimitsValue,
    PayTableValue,
    PostedOddsValue,
    TableRulesValue,
    TerminalLayoutValue,
    WagersOfferedValue,
)
from rounds.floor.facts.text import limits_by_wager
from rounds.floor.models import Table
from rounds.floor.selectors import FactsAt, casino_facts_at, facts_at, pay_table_for, streak_bets
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.selectors import pack_of, rules_of, version_in_force


@dataclass(frozen=True)
class Breach:
    """One rule that a fact breaks. `field` is the member of the value."""

    field: str
    sentence: str
    clause: str = ""


@dataclass(frozen=True)
class Situation:
    """What a fact is checked against: the rules and the other facts in force at its effective instant."""

    casino: Casino
    facts: FactsAt
    version: RuleVersion | None
    at: datetime

    @property
    def pack(self) -> Pack | None:
        return pack_of(self.version) if self.version else None


def table_setup_at(casino: Casino, table: Table | None, at: datetime) -> Situation:
    if table is None:
        return Situation(casino, casino_facts_at(casino, at), None, at)
    facts = facts_at(table, at)
    played = facts.get(TableRulesValue)
    version = version_in_force(casino, played.rules, at) if played else None
    return Situation(casino, facts, version, at)


def planned_breaches(value: FactValue, casino: Casino, table: Table | None, at: datetime) -> list[Breach]:
    return list(find_breaches(value, table_setup_at(casino, table, at)))


def current_breaches(casino: Casino, facts: FactsAt, version: RuleVersion | None) -> list[Breach]:
    """Breaches by facts in force, from any source, for the table's page."""
    situation = Situation(casino, facts, version, facts.instant)
    values = [row.parse_value() for row in facts.rows.values()]
    return [breach for value in values for breach in find_breaches(value, situation)]


@singledispatch
def find_breaches(value: FactValue, situation: Situation) -> Iterator[Breach]:
    """The rules that a value breaks. Default for the types without an own check: none."""
    yield from ()


@find_breaches.register
def _table_rules_breaches(value: TableRulesValue, situation: Situation) -> Iterator[Breach]:
    if version_in_force(situation.casino, value.rules, situation.at) is None:
        yield Breach(
            "rules",
            f"No approved version of {value.rules} is in force at {situation.casino} at that instant, so nothing may "
            "be played under it.",
        )


@find_breaches.register
def _pay_table_breaches(value: PayTableValue, situation: Situation) -> Iterator[Breach]:
    if situation.pack and value.pay_table not in situation.pack.law.pay_table:
        tables = ", ".join(situation.pack.law.pay_table)
        yield Breach("pay_table", f"The rules of this table have no pay table {value.pay_table}, only {tables}.")


@find_breaches.register
def _terminal_layout_breaches(value: TerminalLayoutValue, situation: Situation) -> Iterator[Breach]:
    layouts = [one.layout for one in situation.pack.law.pay_table.values()] if situation.pack else []
    if any(layouts) and value.layout not in layouts:
        yield Breach("layout", f"The rules of this table know the layouts {', '.join(layouts)}, not {value.layout}.")


@find_breaches.register
def _limits_breaches(value: LimitsValue, situation: Situation) -> Iterator[Breach]:
    if value.min > value.max:
        yield Breach("min", "The minimum is above the maximum.")
    if value.unit is not None and value.unit > value.max:
        yield Breach("unit", "The unit is above the maximum, so no wager could be made.")
    for names, low, high in limits_by_wager(value, situation.pack):
        if low > high:
            yield Breach("by_bet", f"{names}: the minimum is above the maximum.")
    duties = situation.pack.duties if situation.pack else None
    if duties is None:
        return
    if value.unit is not None and duties.limits_shown and not duties.limits_shown.may_state_a_unit:
        yield Breach("unit", "The rules of this table know no unit beside the minimum.", duties.limits_shown.clause)


@find_breaches.register
def _decks_breaches(value: DecksValue, situation: Situation) -> Iterator[Breach]:
    rule = situation.pack.conduct.cards if situation.pack else None
    if rule and not rule.fewest_decks <= value.decks <= rule.most_decks:
        yield Breach(
            "decks",
            f"A shoe holds {rule.fewest_decks} to {rule.most_decks} decks (clause {rule.clause}), not {value.decks}.",
            rule.clause,
        )


@find_breaches.register
def _wagers_offered_breaches(value: WagersOfferedValue, situation: Situation) -> Iterator[Breach]:
    if situation.pack is None:
        return
    unknown = [wager for wager in value.wagers if wager not in optional_wagers(situation.pack)]
    if unknown:
        yield Breach("wagers", f"The rules of this table have no optional wager {', '.join(unknown)}.")
    if STREAK in value.wagers:
        yield from _missing_equipment(situation.pack, situation.facts.get(EquipmentValue), "wagers")


@find_breaches.register
def _equipment_breaches(value: EquipmentValue, situation: Situation) -> Iterator[Breach]:
    offered = situation.facts.get(WagersOfferedValue)
    if situation.pack and offered and STREAK in offered.wagers:
        yield from _missing_equipment(situation.pack, value, "layout")


def _missing_equipment(pack: Pack, there: EquipmentValue | None, field: str) -> Iterator[Breach]:
    screen = there.screen if there and there.screen != "none" else None
    equipment = odds.RecordedEquipment(layout=there.layout if there else None, screen=screen)
    for problem in odds.find_equipment_problems(pack, streak_bets(pack), equipment):
        yield Breach(field, problem.sentence, problem.clause)


@find_breaches.register
def _posted_odds_breaches(value: PostedOddsValue, situation: Situation) -> Iterator[Breach]:
    version, pack = situation.version, situation.pack
    pay_table = pay_table_for(pack, situation.facts) if pack else None
    if version is None or pack is None or pay_table is None:
        return
    if pack.duties.posted_odds is None:
        yield Breach("odds", "Under the rules of this table odds are fixed; none are posted.")
        return
    rules, wording = rules_of(version, pay_table), pack.duties.odds_wording
    for problem in odds.find_wording_problems(value.wording or "", wording):
        yield Breach("wording", problem.sentence, problem.clause)
    for code, posted in value.odds.items():
        yield from _bet_odds_breaches(rules, code, (posted,) if isinstance(posted, str) else posted, wording)


def _bet_odds_breaches(
    rules: Rules, code: str, posted: tuple[str, ...], wording: engine_pack.OddsWording | None
) -> Iterator[Breach]:
    field, rule = f"odds.{code}", rules.bets.get(code)
    if rule is None:
        yield Breach(field, f"The rules of this table have no wager {code}.")
        return
    worded = [problem for text in posted for problem in odds.find_posted_odds_problems(text, wording)]
    for problem in worded:
        yield Breach(field, f"{code}: {problem.sentence}", problem.clause)
    if worded:
        return
    try:
        levels = settle.posted_odds_by_level(rule, tuple(map(parse_odds, posted)))
    except EngineError as error:
        yield Breach(field, f"{code}: {error.message}.")
        return
    for below in settle.find_posted_below_minimum(rules, {code: levels}):
        yield Breach(field, f"{below.sentence}.", below.clause)
