"""A fact's value in plain words, for pages: one short line for each thing it says."""

from dataclasses import dataclass
from functools import singledispatch

from compliance.web.forms import dollars
from rounds.engine.packs import Pack
from rounds.floor import values
from rounds.floor.facts import optional_wagers
from rounds.floor.models import Fact

SCREENS = {"none": "No result screen", "plasma": "Plasma screen", "lcd": "LCD screen"}
SHAKERS = {"none": "No shaker", "manual": "Manual shaker", "automated": "Automated shaker"}


@dataclass(frozen=True)
class Reader:
    """What is needed to put a value into words: the casino's currency, and the rules of the table, if known."""

    currency: str = ""
    pack: Pack | None = None

    def money(self, cents: int) -> str:
        return f"${dollars(cents)} {self.currency}".strip()


def words_of(fact: Fact, reader: Reader) -> list[str]:
    return lines_of(fact.read(), reader)


@singledispatch
def lines_of(value: values.Value, reader: Reader) -> list[str]:
    raise TypeError(f"There are no words for a {type(value).__name__}.")


@lines_of.register
def _(value: values.Currency, reader: Reader) -> list[str]:
    return [value.code]


@lines_of.register
def _(value: values.GamingDay, reader: Reader) -> list[str]:
    return [f"Ends at {value.cut_over}"]


@lines_of.register
def _(value: values.Shifts, reader: Reader) -> list[str]:
    return [f"{shift.name} from {shift.starts}" for shift in value.shifts]


@lines_of.register
def _(value: values.Holidays, reader: Reader) -> list[str]:
    days = sorted(value.days, key=lambda holiday: holiday.on)
    return [f"{holiday.on.day} {holiday.on:%b %Y}: {holiday.name}" for holiday in days] or ["No holidays"]


@lines_of.register
def _(value: values.TableRules, reader: Reader) -> list[str]:
    is_known = reader.pack is not None and reader.pack.slug == value.rules
    return [f"{reader.pack.title} ({value.rules})" if is_known and reader.pack else value.rules]


@lines_of.register
def _(value: values.PayTable, reader: Reader) -> list[str]:
    return [f"Pay table {value.pay_table}"]


@lines_of.register
def _(value: values.WagersOffered, reader: Reader) -> list[str]:
    names = optional_wagers(reader.pack) if reader.pack else {}
    return [names.get(wager, wager) for wager in value.wagers] or ["None of them"]


@lines_of.register
def _(value: values.PostedOdds, reader: Reader) -> list[str]:
    """Boxes with the same odds on one line: totals 4 and 17, all pairs."""
    boxes: dict[str, list[str]] = {}
    for code, posted in value.odds.items():
        boxes.setdefault(posted if isinstance(posted, str) else ", ".join(posted), []).append(code)
    lines = [f"{posted}: {', '.join(codes)}" for posted, codes in boxes.items()]
    return (lines or ["None: the document's odds are paid"]) + ([f"“{value.wording}”"] if value.wording else [])


@lines_of.register
def _(value: values.Limits, reader: Reader) -> list[str]:
    lines = [f"{reader.money(value.min)} to {reader.money(value.max)}"]
    if value.multiples:
        lines.append("Wagers in multiples of the minimum")
    if value.unit is not None:
        lines.append(f"In steps of {reader.money(value.unit)}")
    return lines


@lines_of.register
def _(value: values.SmallestChip, reader: Reader) -> list[str]:
    return [reader.money(value.cents)]


@lines_of.register
def _(value: values.StreakAmount, reader: Reader) -> list[str]:
    return [reader.money(value.cents)]


@lines_of.register
def _(value: values.Equipment, reader: Reader) -> list[str]:
    touch = "Touch screen for results" if value.touch_screen else "No touch screen"
    return [f"Layout {value.layout}", SCREENS[value.screen], touch, SHAKERS[value.shaker]]


@lines_of.register
def _(value: values.Decks, reader: Reader) -> list[str]:
    return [f"{value.decks} decks"]


@lines_of.register
def _(value: values.DiceInUse, reader: Reader) -> list[str]:
    return [value.dice or "None in use"]


@lines_of.register
def _(value: values.ShakerInUse, reader: Reader) -> list[str]:
    return [f"{value.shaker} ({value.type})" if value.type else value.shaker] if value.shaker else ["None in use"]


@lines_of.register
def _(value: values.TerminalLayout, reader: Reader) -> list[str]:
    return [value.layout]
