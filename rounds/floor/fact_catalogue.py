"""The catalogue of dated facts: for each its name, label, subject, value type, and the rule packs it applies to."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from rounds.engine import Pack
from rounds.floor import fact_values
from rounds.floor.errors import UnknownFact

Subject: TypeAlias = Literal["casino", "table", "terminal"]


def applies_to_every_pack(pack: Pack) -> bool:
    return True


def has_several_pay_tables(pack: Pack) -> bool:
    return len(pack.law.pay_table) > 1


def has_optional_wagers(pack: Pack) -> bool:
    return bool(optional_wagers(pack))


def has_posted_odds(pack: Pack) -> bool:
    return pack.duties.posted_odds is not None


def has_streaks(pack: Pack) -> bool:
    return pack.law.streak is not None


def uses_cards(pack: Pack) -> bool:
    return pack.conduct.cards is not None


def uses_dice(pack: Pack) -> bool:
    return pack.conduct.cards is None


def has_terminal_layouts(pack: Pack) -> bool:
    return any(table.layout for table in pack.law.pay_table.values())


STREAK = "streak"


def optional_wagers(pack: Pack) -> dict[str, str]:
    """Names, by key, of wagers that a table does not offer until a fact says so. The streak wager is one of them."""
    found = {key: wager.name for key, wager in pack.law.wager.items() if wager.is_optional}
    return found | ({STREAK: pack.law.streak.name} if pack.law.streak else {})


@dataclass(frozen=True)
class FactKind:
    """One kind of fact. `applies` tells whether tables under a pack have it; facts already recorded are shown
    regardless."""

    name: str
    label: str
    subject: Subject
    value: type[fact_values.FactValue]
    hint: str
    applies: Callable[[Pack], bool] = applies_to_every_pack


FACT_KINDS = {
    kind.name: kind
    for kind in (
        FactKind("currency", "Currency", "casino", fact_values.CurrencyValue, "Of every amount at this casino."),
        FactKind(
            "gaming-day",
            "Gaming day",
            "casino",
            fact_values.GamingDayValue,
            "The local time at which one gaming day ends and the next begins.",
        ),
        FactKind(
            "shifts", "Shifts", "casino", fact_values.ShiftsValue, "Inspections are due at the beginning of a shift."
        ),
        FactKind(
            "holidays",
            "Holidays",
            "casino",
            fact_values.HolidaysValue,
            "Corrections of the public holidays, which do not count where a rule counts working days.",
        ),
        FactKind("rules", "Rules", "table", fact_values.TableRulesValue, "The rule set that is played at this table."),
        FactKind(
            "pay-table",
            "Pay table",
            "table",
            fact_values.PayTableValue,
            "Which of the document's pay tables is paid here, for wagers that come from no terminal.",
            has_several_pay_tables,
        ),
        FactKind(
            "wagers-offered",
            "Optional wagers",
            "table",
            fact_values.WagersOfferedValue,
            "Optional wagers are off until they are offered here.",
            has_optional_wagers,
        ),
        FactKind(
            "posted-odds",
            "Posted odds",
            "table",
            fact_values.PostedOddsValue,
            "The odds posted at this table: they are what must be paid.",
            has_posted_odds,
        ),
        FactKind("limits", "Limits", "table", fact_values.LimitsValue, "As the sign at the table states them."),
        FactKind(
            "smallest-chip",
            "Smallest payable chip",
            "table",
            fact_values.SmallestChipValue,
            "The smallest amount that the table's float can pay.",
        ),
        FactKind(
            "streak-amount",
            "Super Streak amount",
            "table",
            fact_values.StreakAmountValue,
            "What one Super Streak wager costs, as its sign states it.",
            has_streaks,
        ),
        FactKind(
            "equipment",
            "Equipment and layout",
            "table",
            fact_values.EquipmentValue,
            "The layout, its screens, and how dice are shaken.",
        ),
        FactKind("decks", "Decks", "table", fact_values.DecksValue, "How many decks are in the shoe.", uses_cards),
        FactKind(
            "dice", "Dice in use", "table", fact_values.DiceInUseValue, "The set of dice at the table.", uses_dice
        ),
        FactKind(
            "shaker", "Shaker in use", "table", fact_values.ShakerInUseValue, "The shaker at the table.", uses_dice
        ),
        FactKind(
            "layout",
            "Terminal layout",
            "terminal",
            fact_values.TerminalLayoutValue,
            "It decides the pay table of wagers from this terminal.",
            has_terminal_layouts,
        ),
    )
}
NAME_BY_VALUE_TYPE = {kind.value: kind.name for kind in FACT_KINDS.values()}


def fact_kind(name: str, subject: Subject) -> FactKind:
    kind = FACT_KINDS.get(name)
    if kind is None or kind.subject != subject:
        raise UnknownFact
    return kind


def fact_kinds_about(subject: Subject, pack: Pack | None = None) -> Iterator[FactKind]:
    """In catalogue order; with a pack, only the kinds that apply under it."""
    for kind in FACT_KINDS.values():
        if kind.subject == subject and (pack is None or kind.applies(pack)):
            yield kind
