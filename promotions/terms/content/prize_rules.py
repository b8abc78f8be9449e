"""Types of prizes, the details each requires, and what no prize may consist of or include."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from promotions.terms.content.terms import Prize
from rounds.engine import Promotions, pack

# The first four have required details in a rule pack, as item "<type>-details".
PRIZE_TYPES = {
    "machinery": "Machinery or an electric appliance",
    "vehicle": "Motor vehicle",
    "travel": "Travel",
    "real-estate": "Real estate",
    "cash": "Cash",
    "casino-dollars": "Casino dollars",
    "slots-dollars": "Slots dollars",
    "goods": "Other goods or services",
}
IF_INCLUDED = "Whether they are included, and which. Write “not included” if they are not."
DETAIL_LABELS = {
    "make": ("Make", ""),
    "model": ("Model", ""),
    "accessories": ("Accessories", "What comes with it. Write “none” if nothing does."),
    "on-road-costs": (
        "Registration and other on-road costs",
        "Whether they are included, and which: registration, insurance, stamp duty, delivery.",
    ),
    "persons": ("Number of persons", "How many people may travel."),
    # Stands in terms that were filed before each inclusion had its own field.
    "inclusions": ("What is included", ""),
    "airfares": ("Airfares", IF_INCLUDED),
    "transfers": ("Transfers", IF_INCLUDED),
    "other-transport": ("Other transport", IF_INCLUDED),
    "duration": ("Duration", "Such as: four nights."),
    "accommodation-standard": (
        "Standard of accommodation",
        "Such as: four stars. Write “not included” if there is none.",
    ),
    "meals": ("Meals", IF_INCLUDED),
    "date-restrictions": ("When it must be taken", "Restrictions on dates. Write “none” if there are none."),
    "spending-money": ("Spending money", "Whether it is included, and how much."),
    "dwelling": ("Type of dwelling", "Such as house, apartment, land."),
    "plans": ("Plans", "What they show and where they can be seen."),
    "contract": ("Contract", "The details of the contract."),
    "easements": ("Easements", "Write “none” if there are none."),
    "address": ("Address or other location", ""),
    "conveyancing": ("Conveyancing", IF_INCLUDED),
    "legal-costs": ("Legal costs", IF_INCLUDED),
    "fixtures": ("Fixtures", IF_INCLUDED),
    "furniture": ("Furniture", IF_INCLUDED),
}
# Details that are a number of at least one.
COUNTED_DETAILS = frozenset({"persons"})
ML_A_LITRE = 1000
# Words of a description that name no item by themselves.
GENERAL_TEXT = """
all and any article articles containing device devices each for from good goods include includes including item items
kind kinds made not one other others product products similar such than that the thing things type types which whole
with without
"""
GENERAL_WORDS = frozenset(GENERAL_TEXT.split())
# How a word ends, and how its singular and plural end. The first that fits counts.
PLURAL_ENDINGS = {
    "ies": "(?:y|ies)",
    "y": "(?:y|ys|ies)",
    "ves": "(?:f|fe|ves)",
    "fe": "(?:fe|ves)",
    "ss": "ss(?:es)?",
    "es": "(?:e|es)?",
    "s": "s?",
}


def detail_label(detail: str) -> tuple[str, str]:
    """Label and hint of a detail. A detail of a new rule pack that has none here gets the pack's own word."""
    return DETAIL_LABELS.get(detail, (detail.replace("-", " ").capitalize(), ""))


def ordered_details(details: Mapping[str, str]) -> list[str]:
    """Text details in display order. Neither JSON nor the ledger preserves the order of members."""
    order = list(DETAIL_LABELS)
    named = [name for name in details if not name.endswith("_sha256")]
    return sorted(named, key=lambda name: order.index(name) if name in order else len(order))


def is_detail_given(detail: str, value: str) -> bool:
    """Whether a detail says what it must: a number where a number is asked for."""
    is_number = value.strip().isdecimal() and int(value) > 0
    return is_number if detail in COUNTED_DETAILS else bool(value.strip())


def required_details(duties: Promotions, prize_type: str) -> tuple[str, ...]:
    """Details that the terms must state for a prize of this type, beyond its name and value."""
    return next((item.details for item in duties.terms if item.item == f"{prize_type}-details"), ())


def may_have_cash_alternative(duties: Promotions, prize_type: str) -> bool:
    return prize_type != "cash" and prize_type.replace("-", " ") not in duties.cash_alternative.not_for


def outright_prohibited(duties: Promotions) -> tuple[pack.ProhibitedPrize, ...]:
    """Prizes prohibited in any amount, other than those on the Authority's list."""
    return tuple(item for item in duties.prohibited if item.over_litres is None and not uses_prescribed_list(item))


def uses_prescribed_list(item: pack.ProhibitedPrize) -> bool:
    return "prescribed" in item.item


def liquor_limit(duties: Promotions) -> pack.ProhibitedPrize | None:
    return next((item for item in duties.prohibited if item.over_litres is not None), None)


def prescribed_list_clause(duties: Promotions) -> str:
    return next((item.clause for item in duties.prohibited if uses_prescribed_list(item)), duties.clause)


@dataclass(frozen=True)
class Prohibition:
    """`member` is the member of the prize that makes it prohibited."""

    clause: str
    sentence: str
    member: str = "includes"


def prohibitions(prize: Prize, duties: Promotions, prescribed: Mapping[str, str]) -> Iterator[Prohibition]:
    """Why this may not be a prize. `prescribed` is the Authority's list at that time: `prescribed:<id>` →
    description. A prize that has the very name of an item is that item, whatever was declared."""
    for item in outright_prohibited(duties):
        if item.item in prize.includes:
            yield Prohibition(item.clause, f"“{prize.name}” includes {item.item}, which no prize may include.")
        elif _is_named(prize, item.item):
            yield Prohibition(item.clause, f"“{prize.name}” is the name of what no prize may include.", "name")
    limit = liquor_limit(duties)
    if limit and limit.over_litres is not None and prize.liquor_ml > limit.over_litres * ML_A_LITRE:
        yield Prohibition(
            limit.clause,
            f"“{prize.name}” includes {format_litres(prize.liquor_ml)} of liquor; {limit.over_litres} is the most.",
            "liquor_ml",
        )
    for key, description in prescribed.items():
        clause = prescribed_list_clause(duties)
        if key in prize.includes:
            yield Prohibition(clause, f"“{prize.name}” includes {description}, which is prescribed.")
        elif _is_named(prize, description):
            yield Prohibition(clause, f"“{prize.name}” is on the list of prescribed prizes.", "name")


def _is_named(prize: Prize, description: str) -> bool:
    """Whether the prize has this name, in the singular or the plural."""
    words = re.findall(r"\w+", description) or [description]
    pattern = r"\W+".join(map(_number_pattern, words))
    return re.fullmatch(rf"\W*{pattern}\W*", prize.name, re.IGNORECASE) is not None


@dataclass(frozen=True)
class Question:
    """A prohibited item that the words of a prize suggest. Words prove nothing, so they are asked about. `item` is the
    key by which the prize declares that it includes the item or is free of it."""

    clause: str
    item: str
    label: str
    sentence: str


def open_questions(prize: Prize, duties: Promotions, prescribed: Mapping[str, str]) -> Iterator[Question]:
    """What the words of the prize suggest, unless it was declared to include that or to be free of it, or has its very
    name. `prescribed` is the Authority's list at that time, whose descriptions are searched by their words."""
    text = " ".join([prize.name, prize.conditions, *(prize.details[name] for name in ordered_details(prize.details))])
    for item in duties.prohibited:
        found = _words_in(text, map(_plural_pattern, item.words))
        if item.over_litres is not None:
            is_declared, asked = prize.liquor_ml > 0, f"How many litres of {item.item} does it include?"
        else:
            is_declared = item.item in prize.includes or _is_named(prize, item.item)
            asked = f"Does it include {item.item}?"
        if found and not is_declared and item.item not in prize.free_of:
            yield Question(item.clause, item.item, item.item, _question_text(prize, found, asked))
    for key, description in prescribed.items():
        found = _words_in(text, map(_number_pattern, _significant_words(description)))
        if found and key not in {*prize.includes, *prize.free_of} and not _is_named(prize, description):
            sentence = _question_text(prize, found, f"Does it include “{description}” of the prescribed list?")
            yield Question(prescribed_list_clause(duties), key, f"“{description}”", sentence)


def _question_text(prize: Prize, found: Iterable[str], asked: str) -> str:
    words = ", ".join(f"“{word}”" for word in found)
    return f"“{prize.name}” mentions {words}. {asked}"


def _significant_words(description: str) -> list[str]:
    """The words of a description without those that name nothing; the whole description if it has no other words."""
    words = [word for word in re.findall(r"[^\W\d_]+", description) if len(word) > 2]
    return [word for word in words if word.casefold() not in GENERAL_WORDS] or [description.strip()]


def _words_in(text: str, patterns: Iterable[str]) -> list[str]:
    """Whole words, as they stand in the text."""
    found = (re.search(rf"\b{pattern}\b", text, re.IGNORECASE) for pattern in patterns)
    return list(dict.fromkeys(match.group() for match in found if match))


def _plural_pattern(word: str) -> str:
    return re.escape(word) + "(?:e?s)?"


def _number_pattern(word: str) -> str:
    """Matches the singular and the plural of a word that is given in either of them."""
    for ending, endings in PLURAL_ENDINGS.items():
        if word.casefold().endswith(ending):
            return re.escape(word[: -len(ending)]) + endings
    return _plural_pattern(word)


def all_prohibitions(prizes: Iterable[Prize], duties: Promotions, prescribed: Mapping[str, str]) -> list[Prohibition]:
    return [found for prize in prizes for found in prohibitions(prize, duties, prescribed)]


def format_litres(ml: int) -> str:
    """20001 ml is "20.001 litres"."""
    whole, part = divmod(ml, ML_A_LITRE)
    return f"{whole}{f'.{part:03}'.rstrip('0') if part else ''} litres"


def needs_scrutineer(prizes: Iterable[Prize], duties: Promotions) -> bool:
    return any(prize.value_cents > duties.scrutineer.over_cents for prize in prizes)
