"""Table configurations of real tables, from the floor's dated facts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, time

from compliance.core.accounts.models import Casino
from rounds.engine import Pack
from rounds.floor.fact_values import (
    DecksValue,
    EquipmentValue,
    GamingDayValue,
    PostedOddsValue,
    ShiftsValue,
    SmallestChipValue,
    StreakAmountValue,
    parse_clock,
)
from rounds.floor.fact_values import LimitsValue as LimitsFact
from rounds.floor.models import ControllerTable, Table
from rounds.floor.selectors import (
    FactsAt,
    casino_facts_at,
    facts_at,
    offered_bets,
    pay_table_for,
    terminal_facts_at,
    version_for,
)
from rounds.intake.protocol.fields import BetLimits, Limits
from rounds.rulebook.selectors import pack_of
from rounds.simulator.play.table_config import TableConfig

MIDNIGHT = time(0)


class TableNotPlayable(Exception):
    """The table cannot be played; the message says what is missing."""


def tables_of_casino(casino: Casino, names: Sequence[str], at: datetime) -> list[Table]:
    """The named tables, or all in use. An unknown name raises an error that lists the known ones."""
    there = {table.slug: table for table in Table.objects.in_use(at).filter(casino=casino).order_by("slug")}
    unknown = [name for name in names if name not in there]
    if unknown or not there:
        found = ", ".join(there) or "none"
        raise TableNotPlayable(
            f"{casino.name} has no table {', '.join(unknown)}. Its tables: {found}."
            if unknown
            else f"{casino.name} has no tables."
        )
    return [there[name] for name in names or there]


def controller_for_table(table: Table, at: datetime) -> str:
    """The slug of the controller that reports for a table."""
    given = ControllerTable.objects.assigned_at(at).filter(table=table).order_by("controller__slug")
    slug = given.values_list("controller__slug", flat=True).first()
    if slug is None:
        raise TableNotPlayable(f"No controller may speak for the table {table.slug}. Give it one on the floor's pages.")
    return str(slug)


def load_table_config(table: Table, at: datetime) -> TableConfig:
    version, facts = version_for(table, at), facts_at(table, at)
    if version is None:
        raise TableNotPlayable(f"No approved rules are in force at the table {table.slug} on {at:%Y-%m-%d %H:%M} UTC.")
    limits = facts.get(LimitsFact)
    if limits is None:
        raise TableNotPlayable(f"The table {table.slug} has no limits on {at:%Y-%m-%d %H:%M} UTC.")
    pack, casino = pack_of(version), casino_facts_at(table.casino, at)
    equipment, chip, decks = facts.get(EquipmentValue), facts.get(SmallestChipValue), facts.get(DecksValue)
    offered = offered_bets(pack, facts)
    streak, posted = facts.get(StreakAmountValue), facts.get(PostedOddsValue)
    return TableConfig(
        casino=table.casino.slug,
        table=table.slug,
        pack=pack,
        readings=version.readings,
        limits=Limits(
            min=limits.min,
            max=limits.max,
            multiples=limits.multiples,
            unit=limits.unit,
            payable_unit=chip.cents if chip else None,
            by_bet={bet: BetLimits(min=own.min, max=own.max) for bet, own in limits.limits_by_bet.items()},
        ),
        time_zone=table.casino.time_zone,
        cut_over=_gaming_day_start(casino),
        shifts=_shift_starts(casino),
        pay_table=pay_table_for(pack, facts),
        terminals=_terminal_pay_tables(table, pack, facts, at),
        offered=offered,
        posted_odds=dict(posted.odds) if posted else {},
        streak_amount=streak.cents if streak and any(bet.startswith("streak:") for bet in offered) else None,
        has_touch_screen=equipment is not None and equipment.touch_screen,
        shaker="" if equipment is None or equipment.shaker == "none" else equipment.shaker,
        decks=decks.decks if decks else None,
    )


def _gaming_day_start(casino: FactsAt) -> time:
    stated = casino.get(GamingDayValue)
    return parse_clock(stated.cut_over) if stated else MIDNIGHT


def _shift_starts(casino: FactsAt) -> tuple[time, ...]:
    stated = casino.get(ShiftsValue)
    return tuple(parse_clock(shift.starts) for shift in stated.shifts) if stated else ()


def _terminal_pay_tables(table: Table, pack: Pack, facts: FactsAt, at: datetime) -> dict[str, str]:
    """The pay table of each terminal's layout."""
    pay_tables = {slug: pay_table_for(pack, facts, own) for slug, own in terminal_facts_at(table, at).items()}
    return {slug: pay_table for slug, pay_table in pay_tables.items() if pay_table is not None}
