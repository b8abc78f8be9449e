"""What the terms still lack, each with its clause; where they contradict themselves; what counsel should look at."""

from collections.abc import Iterator
from dataclasses import dataclass

from promotions.terms.content import NO_WAGER, PRIZES, Terms
from promotions.terms.prizes import detail_words, details_of, may_have_cash_alternative, needs_scrutineer
from promotions.terms.words import title_of
from rounds.engine.promotion_duties import Promotions, TermsItem


@dataclass(frozen=True)
class Missing:
    """`item` names the page of the wizard where it is put right."""

    item: str
    clause: str
    sentence: str


def missing(terms: Terms, duties: Promotions) -> list[Missing]:
    return [
        *_without_name(terms, duties),
        *(lack for item in duties.terms for lack in _lacks(terms, duties, item)),
        *_without_scrutineer(terms, duties),
        *_contradictions(terms, duties),
    ]


def _without_name(terms: Terms, duties: Promotions) -> Iterator[Missing]:
    if not terms.name:
        yield Missing("name", duties.clause, "The promotion has no name.")


def _lacks(terms: Terms, duties: Promotions, item: TermsItem) -> Iterator[Missing]:
    if item.details:
        yield from _missing_details(terms, item)
    elif item.item == PRIZES:
        yield from _missing_prizes(terms, duties, item)
    elif not is_answered(terms, item.item):
        yield Missing(item.item, item.clause, f"{title_of(item.item)}: not answered yet.")


def is_answered(terms: Terms, item: str) -> bool:
    if item == PRIZES:
        return bool(terms.prizes)
    if item == "name":
        return bool(terms.name)
    answer = terms.of(item)
    if item == "minimum-wager":
        return answer.get("kind") == NO_WAGER or bool(answer.get("kind") and answer.get("cents"))
    return any(answer.values())


def _missing_prizes(terms: Terms, duties: Promotions, item: TermsItem) -> Iterator[Missing]:
    if not terms.prizes:
        yield Missing(PRIZES, item.clause, "There is no prize yet.")
    for prize in terms.prizes:
        if prize.value_cents <= 0:
            yield Missing(PRIZES, item.clause, f"“{prize.name}” has no value.")
        if prize.cash_alternative_cents is not None and not may_have_cash_alternative(duties, prize.type):
            yield Missing(
                PRIZES, duties.cash_alternative.clause, f"“{prize.name}” can have no cash alternative: take it out."
            )


def _missing_details(terms: Terms, item: TermsItem) -> Iterator[Missing]:
    of_type = item.item.removesuffix("-details")
    for prize in terms.prizes:
        lacking = [name for name in item.details if not prize.details.get(name)] if prize.type == of_type else []
        for name in lacking:
            label, _ = detail_words(of_type, name)
            yield Missing(PRIZES, item.clause, f"“{prize.name}”: {label.lower()} is missing.")


def _without_scrutineer(terms: Terms, duties: Promotions) -> Iterator[Missing]:
    if needs_scrutineer(terms.prizes, duties) and not terms.scrutineer:
        yield Missing("scrutineer", duties.scrutineer.clause, "A prize this valuable needs a scrutineer: nominate one.")


def _contradictions(terms: Terms, duties: Promotions) -> Iterator[Missing]:
    clauses = {item.item: item.clause for item in duties.terms}
    starts, ends, closes, awarded = terms.starts_at, terms.ends_at, terms.closes_at, terms.awarded_at
    if starts and ends and ends < starts:
        item = "place-date-and-time-of-promotion"
        yield Missing(item, clauses.get(item, duties.clause), "The promotion ends before it starts.")
    if starts and closes and closes < starts:
        item = "closing-of-entries"
        yield Missing(item, clauses.get(item, duties.clause), "Entries close before the promotion starts.")
    if closes and awarded and awarded < closes:
        item = "when-and-where-awarded"
        yield Missing(item, clauses.get(item, duties.clause), "The prize is drawn before entries close.")


def superior_law(terms: Terms) -> str:
    """What this service does not decide (N40): another law may bar what these terms allow."""
    if any(prize.is_cash or prize.cash_alternative_cents is not None for prize in terms.prizes):
        return (
            "These terms offer cash. Section 76A of the Casino Control Act 1992 may bar prizes in cash and their "
            "exchange for cash. The rules here do not decide that: ask counsel before you file."
        )
    return ""


def details_asked(duties: Promotions, prize_type: str) -> list[tuple[str, str, str]]:
    """(name, label, hint) of each detail of a kind of prize."""
    return [(name, *detail_words(prize_type, name)) for name in details_of(duties, prize_type)]
