"""Builds RulesInForce from a table's facts: the only translation of facts into what the settlement engine reads."""

from collections.abc import Mapping
from dataclasses import replace

from rounds.engine import EngineError, Pack, PostedOdds, Rules, RulesInForce, WagerLimits, compile_rules, parse_odds
from rounds.engine.settle import RuleVersionRef, TableEquipment
from rounds.floor import fact_values
from rounds.floor.selectors import FactsAt, offered_bets, pay_table_for
from rounds.rulebook.models import RuleVersion


def version_ref(version: RuleVersion) -> RuleVersionRef:
    return RuleVersionRef(version.pk, version.rules, version.number, version.approved_index or version.proposed_index)


def build_rules_in_force(
    version: RuleVersionRef, pack: Pack, readings: Mapping[str, str], own: FactsAt, terminals: Mapping[str, FactsAt]
) -> RulesInForce:
    """`own` are the facts of the table, `terminals` those of its terminals by slug."""
    amount, pay_table = own.get(fact_values.StreakAmountValue), pay_table_for(pack, own)
    limits = _table_limits(own)
    by_terminal = {slug: pay_table_for(pack, own, facts) for slug, facts in terminals.items()}
    return RulesInForce(
        version=version,
        pack=pack,
        readings=readings,
        offered=offered_bets(pack, own),
        limits=limits,
        limits_by_bet=_limits_by_bet(limits, own.get(fact_values.LimitsValue)),
        posted_odds=_posted_odds(pack, pay_table, readings, own.get(fact_values.PostedOddsValue)),
        equipment=_table_equipment(own),
        streak_amount_cents=amount.cents if amount else None,
        pay_table=pay_table,
        pay_tables_by_terminal={slug: name for slug, name in by_terminal.items() if name is not None},
    )


def _table_limits(own: FactsAt) -> WagerLimits:
    stated, chip = own.get(fact_values.LimitsValue), own.get(fact_values.SmallestChipValue)
    unit = chip.cents if chip else None
    return (
        WagerLimits(stated.min, stated.max, stated.multiples, unit) if stated else WagerLimits(payable_unit_cents=unit)
    )


def _limits_by_bet(limits: WagerLimits, stated: fact_values.LimitsValue | None) -> dict[str, WagerLimits]:
    if stated is None:
        return {}
    return {
        bet: replace(limits, minimum_cents=stated.minimum_for(bet), maximum_cents=stated.maximum_for(bet))
        for bet in stated.limits_by_bet
    }


def _table_equipment(own: FactsAt) -> TableEquipment:
    stated = own.get(fact_values.EquipmentValue)
    return (
        TableEquipment(stated.layout, stated.screen, stated.touch_screen, stated.shaker) if stated else TableEquipment()
    )


def _posted_odds(
    pack: Pack, pay_table: str | None, readings: Mapping[str, str], stated: fact_values.PostedOddsValue | None
) -> dict[str, PostedOdds]:
    """Posted odds as fractions, never below the document's: odds posted too low do not reduce what is due."""
    if stated is None or pay_table is None:
        return {}
    rules = compile_rules(pack, pay_table, readings)
    found = {code: _at_least_minimum_odds(rules, code, odds) for code, odds in stated.odds.items()}
    return {code: odds for code, odds in found.items() if odds is not None}


def _at_least_minimum_odds(rules: Rules, code: str, stated: str | tuple[str, ...]) -> PostedOdds | None:
    """None where the bet is not approved or the text is not odds; then the document's odds are due."""
    rule, texts = rules.bets.get(code), (stated,) if isinstance(stated, str) else stated
    if rule is None or len(texts) != len(rule.levels):
        return None
    try:
        posted = tuple(max(parse_odds(text), pay.odds) for text, pay in zip(texts, rule.levels, strict=True))
    except EngineError:
        return None
    return posted if len(posted) > 1 else posted[0]
