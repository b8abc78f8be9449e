"""What the terms lack, each with its clause; contradictions; and a warning about what counsel should check."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from promotions.terms.content.labels import section_title
from promotions.terms.content.prize_rules import (
    detail_label,
    is_detail_given,
    may_have_cash_alternative,
    needs_scrutineer,
    open_questions,
    required_details,
)
from promotions.terms.content.terms import NO_WAGER, PRIZES, Terms
from rounds.engine import Promotions, pack

# What an answer must contain, by item: the member and its description. Other items need their text.
REQUIRED_PARTS = {
    "place-date-and-time-of-promotion": {
        "place": "where it runs",
        "starts_at": "when it starts",
        "ends_at": "when it ends",
    },
    "when-and-where-awarded": {"awarded_at": "when it is awarded", "where": "where it is awarded"},
    "closing-of-entries": {"closes_at": "when entries close"},
    "method-of-claiming": {"text": "how a prize is claimed", "presence": "whether entrants must be present"},
    "notification-of-winner": {"methods": "how winners are told"},
}


@dataclass(frozen=True)
class MissingItem:
    """`item` names the wizard page where it can be fixed."""

    item: str
    clause: str
    sentence: str


def find_missing(terms: Terms, duties: Promotions) -> list[MissingItem]:
    return [
        *_missing_name(terms, duties),
        *(lack for item in duties.terms for lack in _missing_answers(terms, duties, item)),
        *_missing_scrutineer(terms, duties),
        *_contradictory_terms(terms, duties),
    ]


def unanswered_questions(terms: Terms, duties: Promotions, prescribed: Mapping[str, str]) -> list[MissingItem]:
    """Words of prizes that suggest something prohibited, each with the clause that prohibits it. `prescribed` is the
    Authority's list at that time."""
    return [
        MissingItem(PRIZES, asked.clause, asked.sentence)
        for prize in terms.prizes
        for asked in open_questions(prize, duties, prescribed)
    ]


def _missing_name(terms: Terms, duties: Promotions) -> Iterator[MissingItem]:
    if not terms.name:
        yield MissingItem("name", duties.clause, "The promotion has no name.")


def _missing_answers(terms: Terms, duties: Promotions, item: pack.TermsItem) -> Iterator[MissingItem]:
    if item.details:
        yield from _missing_details(terms, item)
    elif item.item == PRIZES:
        yield from _missing_prizes(terms, duties, item)
    elif not is_answered(terms, item.item):
        yield MissingItem(item.item, item.clause, f"{section_title(item.item)}: not answered yet.")
    else:
        for part in _missing_parts(terms, item.item):
            yield MissingItem(item.item, item.clause, f"{section_title(item.item)}: {part} is missing.")


def is_answered(terms: Terms, item: str) -> bool:
    """Whether anything was answered. The answer may still lack parts."""
    if item == PRIZES:
        return bool(terms.prizes)
    if item == "name":
        return bool(terms.name)
    return any(terms.answer_for(item).values())


def _missing_parts(terms: Terms, item: str) -> Iterator[str]:
    answer = terms.answer_for(item)
    if item == "minimum-wager":
        if answer.get("kind") != NO_WAGER and not (answer.get("kind") and answer.get("cents")):
            yield "how much must be wagered"
        return
    for member, words in REQUIRED_PARTS.get(item, {"text": "the text"}).items():
        if not answer.get(member):
            yield words


def _missing_prizes(terms: Terms, duties: Promotions, item: pack.TermsItem) -> Iterator[MissingItem]:
    if not terms.prizes:
        yield MissingItem(PRIZES, item.clause, "There is no prize yet.")
    for prize in terms.prizes:
        if prize.value_cents <= 0:
            yield MissingItem(PRIZES, item.clause, f"“{prize.name}” has no value.")
        if prize.cash_alternative_cents is not None and not may_have_cash_alternative(duties, prize.type):
            yield MissingItem(
                PRIZES, duties.cash_alternative.clause, f"“{prize.name}” can have no cash alternative: take it out."
            )


def _missing_details(terms: Terms, item: pack.TermsItem) -> Iterator[MissingItem]:
    of_type = item.item.removesuffix("-details")
    for prize in terms.prizes:
        if prize.type != of_type:
            continue
        for name in item.details:
            given, (label, _) = prize.details.get(name, ""), detail_label(name)
            if not is_detail_given(name, given):
                wrong = f"“{given}” is not a number" if given else "is missing"
                yield MissingItem(PRIZES, item.clause, f"“{prize.name}”: {label.lower()} {wrong}.")


def _missing_scrutineer(terms: Terms, duties: Promotions) -> Iterator[MissingItem]:
    if needs_scrutineer(terms.prizes, duties) and not terms.scrutineer:
        yield MissingItem(
            "scrutineer", duties.scrutineer.clause, "A prize this valuable needs a scrutineer: nominate one."
        )


def _contradictory_terms(terms: Terms, duties: Promotions) -> Iterator[MissingItem]:
    clauses = {item.item: item.clause for item in duties.terms}
    for found in contradictions(terms):
        yield MissingItem(found.item, clauses.get(found.item, duties.clause), found.sentence)


@dataclass(frozen=True)
class Contradiction:
    """Two times of the terms in the wrong order. `members` are both of them, the later one last."""

    members: tuple[str, str]
    item: str
    sentence: str


# Times that may be equal but not reversed.
TIMES_IN_ORDER = (
    Contradiction(("starts_at", "closes_at"), "closing-of-entries", "Entries close before the promotion starts."),
    Contradiction(("closes_at", "ends_at"), "closing-of-entries", "Entries close after the promotion ends."),
    Contradiction(("closes_at", "awarded_at"), "when-and-where-awarded", "The prize is drawn before entries close."),
)
NO_DURATION = Contradiction(
    ("starts_at", "ends_at"), "place-date-and-time-of-promotion", "The promotion does not end after it starts."
)
DRAWN_BEFORE_START = Contradiction(
    ("starts_at", "awarded_at"), "when-and-where-awarded", "The prize is drawn before the promotion starts."
)


def contradictions(terms: Terms) -> Iterator[Contradiction]:
    starts, ends = terms.starts_at, terms.ends_at
    if starts and ends and ends <= starts:
        yield NO_DURATION
    for order in TIMES_IN_ORDER:
        first, second = (getattr(terms, member) for member in order.members)
        if first and second and second < first:
            yield order
    drawn = [*terms.award_times[:-1], *(terms.award_times[-1:] if terms.closes_at is None else ())]
    if starts and any(time < starts for time in drawn):
        yield DRAWN_BEFORE_START


def cash_prize_warning(terms: Terms) -> str:
    """A question this service does not decide (N40): another law may prohibit what these terms allow."""
    if any(prize.is_cash or prize.cash_alternative_cents is not None for prize in terms.prizes):
        return (
            "These terms offer cash. Section 76A of the Casino Control Act 1992 may bar prizes in cash and their "
            "exchange for cash. The rules here do not decide that: ask counsel before you file."
        )
    return ""


def detail_fields(duties: Promotions, prize_type: str) -> list[tuple[str, str, str]]:
    """(name, label, hint) of each detail of a prize type."""
    return [(name, *detail_label(name)) for name in required_details(duties, prize_type)]
