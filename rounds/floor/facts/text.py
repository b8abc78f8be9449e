"""A fact's value as text for pages: one short line for each statement."""

from dataclasses import dataclass
from functools import singledispatch

from rounds.engine import BET_CODES, Pack
from rounds.engine.money import format_cents
from rounds.floor import fact_values
from rounds.floor.fact_catalogue import optional_wagers
from rounds.floor.models import Fact
from rounds.rulebook.labels import wager_type_names

SCREEN_LABELS = {"none": "No result screen", "plasma": "Plasma screen", "lcd": "LCD screen"}
SHAKER_LABELS = {"none": "No shaker", "manual": "Manual shaker", "automated": "Automated shaker"}


@dataclass(frozen=True)
class FactFormatter:
    """Context for formatting a value: the casino's currency, and the rule pack of the table if known."""

    currency: str = ""
    pack: Pack | None = None

    def format_money(self, cents: int) -> str:
        return format_cents(cents, self.currency)


def fact_lines(fact: Fact, reader: FactFormatter) -> list[str]:
    return value_lines(fact.parse_value(), reader)


@singledispatch
def value_lines(value: fact_values.FactValue, reader: FactFormatter) -> list[str]:
    raise TypeError(f"There are no words for a {type(value).__name__}.")


@value_lines.register
def _currency_lines(value: fact_values.CurrencyValue, reader: FactFormatter) -> list[str]:
    return [value.code]


@value_lines.register
def _gaming_day_lines(value: fact_values.GamingDayValue, reader: FactFormatter) -> list[str]:
    return [f"Ends at {value.cut_over}"]


@value_lines.register
def _shifts_lines(value: fact_values.ShiftsValue, reader: FactFormatter) -> list[str]:
    return [f"{shift.name} from {shift.starts}" for shift in value.shifts]


@value_lines.register
def _holidays_lines(value: fact_values.HolidaysValue, reader: FactFormatter) -> list[str]:
    days = [(day, "") for day in value.days] + [(day, "no holiday, ") for day in value.working_days]
    lines = sorted(days, key=lambda each: each[0].on)
    return [f"{day.on.day} {day.on:%b %Y}: {words}{day.name}" for day, words in lines] or ["No corrections"]


@value_lines.register
def _table_rules_lines(value: fact_values.TableRulesValue, reader: FactFormatter) -> list[str]:
    is_known = reader.pack is not None and reader.pack.slug == value.rules
    return [f"{reader.pack.title} ({value.rules})" if is_known and reader.pack else value.rules]


@value_lines.register
def _pay_table_lines(value: fact_values.PayTableValue, reader: FactFormatter) -> list[str]:
    return [f"Pay table {value.pay_table}"]


@value_lines.register
def _wagers_offered_lines(value: fact_values.WagersOfferedValue, reader: FactFormatter) -> list[str]:
    names = optional_wagers(reader.pack) if reader.pack else {}
    return [names.get(wager, wager) for wager in value.wagers] or ["None of them"]


@value_lines.register
def _posted_odds_lines(value: fact_values.PostedOddsValue, reader: FactFormatter) -> list[str]:
    """Boxes with the same odds on one line: totals 4 and 17, all pairs."""
    boxes: dict[str, list[str]] = {}
    for code, posted in value.odds.items():
        boxes.setdefault(posted if isinstance(posted, str) else ", ".join(posted), []).append(code)
    lines = [f"{posted}: {', '.join(codes)}" for posted, codes in boxes.items()]
    return (lines or ["None: the document's odds are paid"]) + ([f"“{value.wording}”"] if value.wording else [])


@value_lines.register
def _limits_lines(value: fact_values.LimitsValue, reader: FactFormatter) -> list[str]:
    lines = [f"{reader.format_money(value.min)} to {reader.format_money(value.max)}"]
    if value.multiples:
        lines.append("Wagers in multiples of the minimum")
    if value.unit is not None:
        lines.append(f"In steps of {reader.format_money(value.unit)}")
    for names, low, high in limits_by_wager(value, reader.pack):
        lines.append(f"{names}: {reader.format_money(low)} to {reader.format_money(high)}")
    return lines


def limits_by_wager(value: fact_values.LimitsValue, pack: Pack | None) -> list[tuple[str, int, int]]:
    """The types of wager that have limits of their own, each with its minimum and maximum."""
    bets: dict[tuple[int, int], list[str]] = {}
    # In a fixed order: the database does not keep that of the members.
    for bet in sorted(value.limits_by_bet, key=BET_CODES.index):
        bets.setdefault((value.minimum_for(bet), value.maximum_for(bet)), []).append(bet)
    return [(", ".join(wager_type_names(pack, each)), low, high) for (low, high), each in bets.items()]


@value_lines.register
def _smallest_chip_lines(value: fact_values.SmallestChipValue, reader: FactFormatter) -> list[str]:
    return [reader.format_money(value.cents)]


@value_lines.register
def _streak_amount_lines(value: fact_values.StreakAmountValue, reader: FactFormatter) -> list[str]:
    return [reader.format_money(value.cents)]


@value_lines.register
def _equipment_lines(value: fact_values.EquipmentValue, reader: FactFormatter) -> list[str]:
    touch = "Touch screen for results" if value.touch_screen else "No touch screen"
    return [f"Layout {value.layout}", SCREEN_LABELS[value.screen], touch, SHAKER_LABELS[value.shaker]]


@value_lines.register
def _decks_lines(value: fact_values.DecksValue, reader: FactFormatter) -> list[str]:
    return [f"{value.decks} decks"]


@value_lines.register
def _dice_in_use_lines(value: fact_values.DiceInUseValue, reader: FactFormatter) -> list[str]:
    return [value.dice or "None in use"]


@value_lines.register
def _shaker_in_use_lines(value: fact_values.ShakerInUseValue, reader: FactFormatter) -> list[str]:
    return [f"{value.shaker} ({value.type})" if value.type else value.shaker] if value.shaker else ["None in use"]


@value_lines.register
def _terminal_layout_lines(value: fact_values.TerminalLayoutValue, reader: FactFormatter) -> list[str]:
    return [value.layout]
