"""Missing items by clause; prohibited prizes; when a scrutineer is required."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from promotions.terms.content.completeness import cash_prize_warning, find_missing, unanswered_questions
from promotions.terms.content.prize_rules import all_prohibitions, format_litres, needs_scrutineer, open_questions
from promotions.terms.content.terms import Prize, Terms
from rounds.engine.pack.pack_file import load_pack
from rounds.engine.pack.promotion_duties import Promotions
from rounds.rulepacks import PACK_FOLDER
from rounds.transparency_log.formats.leaf import encode_timestamp
from tests.promotions.crew import AWARDED_AFTER, CAR, CLOSES_AFTER, RUNS, START, TRIP, answers


@pytest.fixture(scope="module")
def duties() -> Promotions:
    found = load_pack((PACK_FOLDER / "nsw-sic-bo.toml").read_bytes(), "nsw-sic-bo.toml").duties.promotions
    assert found is not None
    return found


def lacking(duties: Promotions, content: dict[str, Any]) -> list[str]:
    return [lack.clause for lack in find_missing(Terms(content), duties)]


def test_complete_terms_lack_nothing(duties: Promotions) -> None:
    assert lacking(duties, answers()) == []


@pytest.mark.parametrize(
    ("item", "clause"),
    [
        ("manner-of-award", "10.7.1"),
        ("when-and-where-awarded", "10.7.2"),
        ("eligibility", "10.7.3"),
        ("minimum-wager", "10.7.4"),
        ("nature-and-qualifications", "10.7.5"),
        ("closing-of-entries", "10.7.6"),
        ("place-date-and-time-of-promotion", "10.7.7"),
        ("method-of-claiming", "10.7.8"),
        ("notification-of-winner", "10.7.9"),
        ("publication-of-results", "10.7.10"),
        ("prizes", "10.7.11"),
    ],
)
def test_each_item_that_is_left_out_is_named_with_its_clause(duties: Promotions, item: str, clause: str) -> None:
    content = answers()
    del content[item]
    assert lacking(duties, content) == [clause]


@pytest.mark.parametrize(
    ("item", "member", "clause"),
    [
        ("manner-of-award", "text", "10.7.1"),
        ("when-and-where-awarded", "awarded_at", "10.7.2"),
        ("when-and-where-awarded", "where", "10.7.2"),
        ("minimum-wager", "cents", "10.7.4"),
        ("place-date-and-time-of-promotion", "place", "10.7.7"),
        ("place-date-and-time-of-promotion", "starts_at", "10.7.7"),
        ("place-date-and-time-of-promotion", "ends_at", "10.7.7"),
        ("method-of-claiming", "text", "10.7.8"),
        ("method-of-claiming", "presence", "10.7.8"),
        ("notification-of-winner", "methods", "10.7.9"),
    ],
)
def test_each_part_of_an_item_that_is_left_out_is_named(
    duties: Promotions, item: str, member: str, clause: str
) -> None:
    content = answers()
    content[item] = {**content[item], "text": "Something else.", "wins": "once", member: None}
    assert lacking(duties, content) == [clause]


SECOND = timedelta(seconds=1)
PLACE, CLOSING, AWARD = "place-date-and-time-of-promotion", "closing-of-entries", "when-and-where-awarded"


@pytest.mark.parametrize(
    ("item", "member", "at", "clauses"),
    [
        (PLACE, "ends_at", START + CLOSES_AFTER, []),
        (PLACE, "ends_at", START + CLOSES_AFTER - SECOND, ["10.7.6"]),
        (PLACE, "ends_at", START, ["10.7.7", "10.7.6"]),
        (CLOSING, "closes_at", START, []),
        (CLOSING, "closes_at", START - SECOND, ["10.7.6"]),
        (CLOSING, "closes_at", START + AWARDED_AFTER, []),
        (CLOSING, "closes_at", START + AWARDED_AFTER + SECOND, ["10.7.2"]),
        (CLOSING, "closes_at", START + RUNS + SECOND, ["10.7.6", "10.7.2"]),
        (AWARD, "awarded_at", START + CLOSES_AFTER, []),
        (AWARD, "awarded_at", START + CLOSES_AFTER - SECOND, ["10.7.2"]),
        (AWARD, "awarded_at", START + RUNS + SECOND, []),
    ],
)
def test_times_in_the_wrong_order(duties: Promotions, item: str, member: str, at: datetime, clauses: list[str]) -> None:
    content = answers()
    content[item] = {**content[item], member: encode_timestamp(at)}
    assert lacking(duties, content) == clauses


@pytest.mark.parametrize(("earlier", "clauses"), [(START, []), (START - SECOND, ["10.7.2"])])
def test_an_earlier_draw_is_not_before_the_start(duties: Promotions, earlier: datetime, clauses: list[str]) -> None:
    content = answers()
    content[AWARD] = {**content[AWARD], "earlier_at": [encode_timestamp(earlier)]}
    assert lacking(duties, content) == clauses


@pytest.mark.parametrize(
    ("kind", "details", "clause"),
    [
        ("machinery", "make model accessories", "10.7.11.1"),
        ("vehicle", "make model accessories on-road-costs", "10.7.11.2"),
        (
            "travel",
            "persons airfares transfers other-transport duration accommodation-standard meals date-restrictions "
            "spending-money",
            "10.7.11.3",
        ),
        (
            "real-estate",
            "dwelling plans contract easements address conveyancing legal-costs fixtures furniture",
            "10.7.11.4",
        ),
    ],
)
def test_each_kind_of_prize_asks_for_its_own_details(duties: Promotions, kind: str, details: str, clause: str) -> None:
    whole = Prize(name="It", type=kind, value_cents=1, details=dict.fromkeys(details.split(), "2"))
    bare = Prize(name="It", type=kind, value_cents=1)
    assert lacking(duties, answers(START, whole)) == []
    assert lacking(duties, answers(START, bare)) == [clause] * len(details.split())


@pytest.mark.parametrize(
    ("persons", "is_number"), [("1", True), ("2", True), ("0", False), ("two-ish", False), ("", False), ("-1", False)]
)
def test_the_number_of_persons_is_a_number(duties: Promotions, persons: str, is_number: bool) -> None:
    trip = Prize(name="Trip", type="travel", value_cents=1, details={**TRIP.details, "persons": persons})
    assert lacking(duties, answers(START, trip)) == ([] if is_number else ["10.7.11.3"])


def test_terms_that_contradict_themselves_are_not_complete(duties: Promotions) -> None:
    closing: dict[str, Any] = {"closing-of-entries": {"closes_at": "2020-01-01T00:00:00.000000Z"}}
    assert lacking(duties, answers(**closing)) == ["10.7.6"]
    early: dict[str, Any] = {"when-and-where-awarded": {"awarded_at": "2020-01-01T00:00:00.000000Z", "where": "Bar"}}
    assert lacking(duties, answers(**early)) == ["10.7.2"]


@pytest.mark.parametrize(("cents", "needed"), [(1_000_000, False), (1_000_001, True), (999_999, False)])
def test_a_scrutineer_is_needed_above_ten_thousand_dollars(duties: Promotions, cents: int, needed: bool) -> None:
    prize = Prize(name="It", type="goods", value_cents=cents)
    assert needs_scrutineer([prize], duties) is needed
    without = answers(START, prize, scrutineer={"name": ""})
    assert lacking(duties, without) == (["10.2"] if needed else [])


def test_two_prizes_below_the_figure_need_no_scrutineer_together(duties: Promotions) -> None:
    assert not needs_scrutineer([Prize(name=name, type="goods", value_cents=900_000) for name in "ab"], duties)


@pytest.mark.parametrize(("ml", "clauses"), [(20_000, []), (20_001, ["10.5.4"]), (19_999, [])])
def test_twenty_litres_of_liquor_are_allowed_and_no_more(duties: Promotions, ml: int, clauses: list[str]) -> None:
    cellar = Prize(name="Cellar", type="goods", value_cents=1, liquor_ml=ml)
    assert [found.clause for found in all_prohibitions([cellar], duties, {})] == clauses


@pytest.mark.parametrize(
    ("included", "clause"),
    [
        ("tobacco", "10.5.1"),
        ("firearm, ammunition or imitation firearm", "10.5.2"),
        ("prohibited weapon", "10.5.3"),
        ("prescribed:7", "10.5.5"),
    ],
)
def test_what_no_prize_may_include_is_named_with_its_clause(duties: Promotions, included: str, clause: str) -> None:
    prize = Prize(name="It", type="goods", value_cents=1, includes=(included,))
    assert [found.clause for found in all_prohibitions([prize], duties, {"prescribed:7": "Fireworks"})] == [clause]


@pytest.mark.parametrize(
    ("words", "clauses"),
    [
        ("Hamper with cigars", ["10.5.1"]),
        ("A carton of Cigarettes", ["10.5.1"]),
        ("Replica gun", ["10.5.2"]),
        ("Samurai sword", ["10.5.3"]),
        ("A case of wine", ["10.5.4"]),
        ("Cigar and pistol", ["10.5.1", "10.5.2"]),
        ("Begonia, ginger and a swordfish dinner", []),
        ("Dinner", []),
    ],
)
def test_words_that_suggest_what_no_prize_may_include_are_asked_about(
    duties: Promotions, words: str, clauses: list[str]
) -> None:
    for prize in (
        Prize(name=words, type="goods", value_cents=1),
        Prize(name="It", type="goods", value_cents=1, conditions=words),
        Prize(name="It", type="goods", value_cents=1, details={"accessories": words}),
    ):
        terms = Terms(answers(START, prize))
        assert [asked.clause for asked in unanswered_questions(terms, duties, {})] == clauses
        assert find_missing(terms, duties) == []


def test_what_was_declared_is_not_asked_about(duties: Promotions) -> None:
    wine = Prize(name="Wine", type="goods", value_cents=1, liquor_ml=750)
    cigar = Prize(name="Cigar", type="goods", value_cents=1, includes=("tobacco",))
    humidor = Prize(name="Cigar box, empty", type="goods", value_cents=1, free_of=("tobacco",))
    assert unanswered_questions(Terms(answers(START, wine, cigar, humidor)), duties, {}) == []


LISTED = {
    "prescribed:7": "Fireworks",
    "prescribed:8": "Kitchen knives of any kind",
    "prescribed:9": "Electronic cigarettes and other vaping products",
    "prescribed:10": "Any laser pointer",
}


@pytest.mark.parametrize(
    ("words", "items"),
    [
        ("Fireworks for New Year", ["prescribed:7"]),
        ("A firework", ["prescribed:7"]),
        ("Working fires", []),
        ("Chef's knife", ["prescribed:8"]),
        ("Six KNIVES", ["prescribed:8"]),
        ("Knifemaking is a kind of craft", []),
        ("A vaping kit", ["prescribed:9"]),
        ("Products and other things of any kind", []),
        ("Laser and fireworks show", ["prescribed:7", "prescribed:10"]),
        ("Dinner", []),
    ],
)
def test_words_of_the_prescribed_list_are_asked_about(duties: Promotions, words: str, items: list[str]) -> None:
    for prize in (
        Prize(name=words, type="goods", value_cents=1),
        Prize(name="It", type="goods", value_cents=1, conditions=words),
        Prize(name="It", type="goods", value_cents=1, details={"accessories": words}),
    ):
        asked = list(open_questions(prize, duties, LISTED))
        assert [(each.clause, each.item) for each in asked] == [("10.5.5", item) for item in items]
        assert list(open_questions(prize, duties, {})) == []


def test_a_prescribed_item_that_was_declared_or_ruled_out_is_not_asked_about(duties: Promotions) -> None:
    declared = Prize(name="Fireworks", type="goods", value_cents=1, includes=("prescribed:7",))
    free = Prize(name="Fireworks without powder", type="goods", value_cents=1, free_of=("prescribed:7",))
    other = Prize(name="Fireworks and more", type="goods", value_cents=1, free_of=("prescribed:8",))
    asked = unanswered_questions(Terms(answers(START, declared, free, other)), duties, LISTED)
    assert [each.sentence for each in asked] == [
        "“Fireworks and more” mentions “Fireworks”. Does it include “Fireworks” of the prescribed list?"
    ]


@pytest.mark.parametrize(
    ("name", "clauses"),
    [
        ("Fireworks", ["10.5.5"]),
        ("firework", ["10.5.5"]),
        ("Tobacco", ["10.5.1"]),
        ("Any laser pointers", ["10.5.5"]),
        ("Fireworks show", []),
        ("A firework", []),
        ("Liquor", []),
    ],
)
def test_the_very_name_of_a_prohibited_item_is_no_question(duties: Promotions, name: str, clauses: list[str]) -> None:
    """It is prohibited whatever was declared. A longer name is asked about."""
    free = Prize(name=name, type="goods", value_cents=1, free_of=("tobacco", *LISTED))
    assert [found.clause for found in all_prohibitions([free], duties, LISTED)] == clauses
    asked = list(open_questions(Prize(name=name, type="goods", value_cents=1), duties, LISTED))
    assert bool(asked) is not bool(clauses)


def test_questions_about_prizes_are_questions(duties: Promotions) -> None:
    prize = Prize(name="Wine, cigars and a firework", type="goods", value_cents=1)
    assert [asked.sentence.partition("”. ")[2] for asked in open_questions(prize, duties, LISTED)] == [
        "Does it include tobacco?",
        "How many litres of liquor does it include?",
        "Does it include “Fireworks” of the prescribed list?",
    ]


def test_no_cash_alternative_for_slots_or_casino_dollars(duties: Promotions) -> None:
    for kind in ("slots-dollars", "casino-dollars"):
        prize = Prize(name="Dollars", type=kind, value_cents=5_000, cash_alternative_cents=4_000)
        assert lacking(duties, answers(START, prize)) == ["10.3"]
    car = Prize(name="Car", type="vehicle", value_cents=5_000, cash_alternative_cents=4_000, details=CAR.details)
    assert lacking(duties, answers(START, car)) == []


def test_cash_of_any_kind_sends_people_to_counsel() -> None:
    assert cash_prize_warning(Terms(answers(START, CAR, TRIP))) == ""
    cash = Prize(name="Cash", type="cash", value_cents=100)
    assert "76A" in cash_prize_warning(Terms(answers(START, cash)))


def test_litres_are_written_exactly() -> None:
    assert [format_litres(20_000), format_litres(20_001), format_litres(4_500)] == [
        "20 litres",
        "20.001 litres",
        "4.5 litres",
    ]
