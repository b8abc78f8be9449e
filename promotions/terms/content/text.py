"""Terms as patrons read them. The preview, the public page, the PDF and the diff all use this text."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from compliance.core.accounts.models import Casino
from compliance.core.web.local_time import format_local
from promotions.terms.content.labels import ITEM_TITLES, section_title
from promotions.terms.content.prize_rules import PRIZE_TYPES, detail_label, format_litres, ordered_details
from promotions.terms.content.terms import PRIZES, Prize, Terms
from rounds.engine.money import format_cents

METHOD_LABELS = {"face-to-face": "in person", "mail": "by mail", "telephone": "by telephone", "email": "by email"}


@dataclass(frozen=True)
class PrizeText:
    heading: str
    rows: tuple[tuple[str, str], ...]

    def as_lines(self) -> tuple[str, ...]:
        return (self.heading, *(f"{label}: {value}" for label, value in self.rows))


@dataclass(frozen=True)
class TermsSection:
    item: str
    title: str
    lines: tuple[str, ...] = ()
    prizes: tuple[PrizeText, ...] = ()

    def as_lines(self) -> tuple[str, ...]:
        return (*self.lines, *(line for prize in self.prizes for line in prize.as_lines()))


def build_sections(terms: Terms, casino: Casino) -> list[TermsSection]:
    """In the order of a reader's questions: when, who, how, what, then the rest."""
    known = [item for item in ITEM_TITLES if item != "name"]
    asked = [*known, *(item for item in terms.answers if item not in ITEM_TITLES and item != "prizes")]
    found = (_build_section(item, terms, casino) for item in asked)
    return [section for section in found if section.lines or section.prizes]


def _build_section(item: str, terms: Terms, casino: Casino) -> TermsSection:
    if item == PRIZES:
        return TermsSection(item, section_title(item), prizes=tuple(prize_text(prize) for prize in terms.prizes))
    lines = _LINE_BUILDERS.get(item, _text_lines)(terms.answer_for(item), casino)
    return TermsSection(item, section_title(item), tuple(line for line in lines if line))


def _text_lines(answer: Mapping[str, Any], casino: Casino) -> Iterator[str]:
    yield from str(answer.get("text", "")).splitlines()


def _running_lines(answer: Mapping[str, Any], casino: Casino) -> Iterator[str]:
    yield str(answer.get("place", ""))
    if starts := answer.get("starts_at"):
        yield f"Starts: {_format_time(starts, casino)}"
    if ends := answer.get("ends_at"):
        yield f"Ends: {_format_time(ends, casino)}"


def _manner_lines(answer: Mapping[str, Any], casino: Casino) -> Iterator[str]:
    yield from _text_lines(answer, casino)
    if wins := answer.get("wins"):
        yield "An entry can win more than once." if wins == "several" else "An entry can win at most one prize."


def _awarding_lines(answer: Mapping[str, Any], casino: Casino) -> Iterator[str]:
    for at in (*(answer.get("earlier_at") or ()), *filter(None, [answer.get("awarded_at")])):
        yield _format_time(at, casino)
    yield str(answer.get("where", ""))


def _closing_lines(answer: Mapping[str, Any], casino: Casino) -> Iterator[str]:
    if closes := answer.get("closes_at"):
        yield f"Entries close: {_format_time(closes, casino)}"


def _wager_lines(answer: Mapping[str, Any], casino: Casino) -> Iterator[str]:
    kind, cents = answer.get("kind"), answer.get("cents")
    if kind == "none":
        yield "No wager is needed to take part."
    elif kind and cents:
        yield f"{'Minimum' if kind == 'minimum' else 'Compulsory'} wager: {format_cents(cents)}"
    yield from _text_lines(answer, casino)


def _claiming_lines(answer: Mapping[str, Any], casino: Casino) -> Iterator[str]:
    yield from _text_lines(answer, casino)
    presence = answer.get("presence")
    if presence == "required":
        yield "You must be present at the draw to win."
    elif presence:
        yield "You need not be present at the draw to win."


def _notification_lines(answer: Mapping[str, Any], casino: Casino) -> Iterator[str]:
    if methods := answer.get("methods"):
        yield f"Winners are told {_join_words([METHOD_LABELS.get(method, method) for method in methods])}."
    yield from _text_lines(answer, casino)


def _scrutineer_lines(answer: Mapping[str, Any], casino: Casino) -> Iterator[str]:
    if name := answer.get("name"):
        yield f"The draw is overseen by a scrutineer: {name}."


_LINE_BUILDERS: Mapping[str, Callable[[Mapping[str, Any], Casino], Iterator[str]]] = {
    "place-date-and-time-of-promotion": _running_lines,
    "manner-of-award": _manner_lines,
    "when-and-where-awarded": _awarding_lines,
    "closing-of-entries": _closing_lines,
    "minimum-wager": _wager_lines,
    "method-of-claiming": _claiming_lines,
    "notification-of-winner": _notification_lines,
    "scrutineer": _scrutineer_lines,
}


def prize_text(prize: Prize) -> PrizeText:
    return PrizeText(
        f"{prize.quantity} × {prize.name}" if prize.quantity > 1 else prize.name, tuple(_prize_rows(prize))
    )


def _prize_rows(prize: Prize) -> Iterator[tuple[str, str]]:
    yield "Kind", PRIZE_TYPES.get(prize.type, prize.type)
    yield "Value", f"{format_cents(prize.value_cents)}{' each' if prize.quantity > 1 else ''}"
    for name in ordered_details(prize.details):
        yield detail_label(name)[0], prize.details[name]
    if prize.liquor_ml:
        yield "Liquor", format_litres(prize.liquor_ml)
    if prize.cash_alternative_cents is not None:
        yield "Cash alternative", f"The winner may choose {format_cents(prize.cash_alternative_cents)} instead"
    if prize.conditions:
        yield "Conditions", prize.conditions


def _format_time(written: str, casino: Casino) -> str:
    return format_local(datetime.fromisoformat(written), casino)


def _join_words(words: list[str]) -> str:
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
