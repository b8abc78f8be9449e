"""The terms as patrons read them: one text for the preview, the public page, the PDF and the comparison."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from compliance.accounts.models import Casino
from compliance.web.forms import dollars
from compliance.web.moments import moment_text
from promotions.terms.content import PRIZES, Prize, Terms
from promotions.terms.prizes import TYPES, detail_words, in_order, litres
from promotions.terms.words import TITLES, title_of

METHODS = {"face-to-face": "in person", "mail": "by mail", "telephone": "by telephone", "email": "by email"}


@dataclass(frozen=True)
class PrizeText:
    heading: str
    rows: tuple[tuple[str, str], ...]

    def as_line(self) -> str:
        return "; ".join([self.heading, *(f"{label}: {value}" for label, value in self.rows)])


@dataclass(frozen=True)
class Section:
    item: str
    title: str
    lines: tuple[str, ...] = ()
    prizes: tuple[PrizeText, ...] = ()

    def as_lines(self) -> tuple[str, ...]:
        return (*self.lines, *(prize.as_line() for prize in self.prizes))


def sections(terms: Terms, casino: Casino) -> list[Section]:
    """In the order in which people ask: when, who, how, what, and then what follows."""
    known = [item for item in TITLES if item != "name"]
    asked = [*known, *(item for item in terms.answers if item not in TITLES and item != "prizes")]
    found = (_section(item, terms, casino) for item in asked)
    return [section for section in found if section.lines or section.prizes]


def _section(item: str, terms: Terms, casino: Casino) -> Section:
    if item == PRIZES:
        return Section(item, title_of(item), prizes=tuple(prize_text(prize) for prize in terms.prizes))
    lines = _LINES.get(item, _plain)(terms.of(item), casino)
    return Section(item, title_of(item), tuple(line for line in lines if line))


def _plain(answer: Mapping[str, Any], casino: Casino) -> Iterator[str]:
    yield from str(answer.get("text", "")).splitlines()


def _running(answer: Mapping[str, Any], casino: Casino) -> Iterator[str]:
    yield str(answer.get("place", ""))
    if starts := answer.get("starts_at"):
        yield f"Starts: {_moment(starts, casino)}"
    if ends := answer.get("ends_at"):
        yield f"Ends: {_moment(ends, casino)}"


def _awarding(answer: Mapping[str, Any], casino: Casino) -> Iterator[str]:
    if at := answer.get("awarded_at"):
        yield _moment(at, casino)
    yield str(answer.get("where", ""))


def _closing(answer: Mapping[str, Any], casino: Casino) -> Iterator[str]:
    if closes := answer.get("closes_at"):
        yield f"Entries close: {_moment(closes, casino)}"


def _wager(answer: Mapping[str, Any], casino: Casino) -> Iterator[str]:
    kind, cents = answer.get("kind"), answer.get("cents")
    if kind == "none":
        yield "No wager is needed to take part."
    elif kind and cents:
        yield f"{'Minimum' if kind == 'minimum' else 'Compulsory'} wager: ${dollars(cents)}"
    yield from _plain(answer, casino)


def _claiming(answer: Mapping[str, Any], casino: Casino) -> Iterator[str]:
    yield from _plain(answer, casino)
    presence = answer.get("presence")
    if presence == "required":
        yield "You must be present at the draw to win."
    elif presence:
        yield "You need not be present at the draw to win."


def _telling(answer: Mapping[str, Any], casino: Casino) -> Iterator[str]:
    if methods := answer.get("methods"):
        yield f"Winners are told {_listed([METHODS.get(method, method) for method in methods])}."
    yield from _plain(answer, casino)


def _scrutineer(answer: Mapping[str, Any], casino: Casino) -> Iterator[str]:
    if name := answer.get("name"):
        yield f"The draw is overseen by a scrutineer: {name}."


_LINES: Mapping[str, Callable[[Mapping[str, Any], Casino], Iterator[str]]] = {
    "place-date-and-time-of-promotion": _running,
    "when-and-where-awarded": _awarding,
    "closing-of-entries": _closing,
    "minimum-wager": _wager,
    "method-of-claiming": _claiming,
    "notification-of-winner": _telling,
    "scrutineer": _scrutineer,
}


def prize_text(prize: Prize) -> PrizeText:
    return PrizeText(
        f"{prize.quantity} × {prize.name}" if prize.quantity > 1 else prize.name, tuple(_prize_rows(prize))
    )


def _prize_rows(prize: Prize) -> Iterator[tuple[str, str]]:
    yield "Kind", TYPES.get(prize.type, prize.type)
    yield "Value", f"${dollars(prize.value_cents)}{' each' if prize.quantity > 1 else ''}"
    for name in in_order(prize.details):
        yield detail_words(prize.type, name)[0], prize.details[name]
    if prize.liquor_ml:
        yield "Liquor", litres(prize.liquor_ml)
    if prize.cash_alternative_cents is not None:
        yield "Cash alternative", f"The winner may choose ${dollars(prize.cash_alternative_cents)} instead"
    if prize.conditions:
        yield "Conditions", prize.conditions


def _moment(written: str, casino: Casino) -> str:
    return moment_text(datetime.fromisoformat(written), casino)


def _listed(words: list[str]) -> str:
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
