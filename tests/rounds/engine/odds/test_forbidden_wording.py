"""Odds on layouts and in publications say "to" or "win", never "for" (Licensee 4(a))."""

import time

import pytest

from rounds.engine.odds.forbidden_wording import find_posted_odds_problems, find_wording_problems
from rounds.engine.pack.table_duties import OddsWording
from rounds.engine.pack.vocabulary import Clause
from tests.rounds.engine.cases import LICENSEE, MBS, NSW, RWS, SKYCITY, pack_of

WORDING = pack_of(LICENSEE).duties.odds_wording


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("60 for 1", "60 for 1"),
        ("60-for-1", "60-for-1"),
        ("60–for–1", "60–for–1"),
        ("pays 60 for one", "60 for one"),
        ("SIXTY FOR ONE", "SIXTY FOR ONE"),
        ("One hundred and fifty-for-one!", "One hundred and fifty-for-one"),
        ("TOTAL 4 PAYS 60 FOR 1.", "60 FOR 1"),
        ("Any triple 24 For 1, small 1 to 1", "24 For 1"),
        ("5 1/2 for 1", "5 1/2 for 1"),
        ("8.5 for 1", "8.5 for 1"),
        ("1,000 for 1", "1,000 for 1"),
        ("60\nfor\n 1", "60 for 1"),
        ("60\u00a0for\u00a01", "60 for 1"),
        ("$60 for $1", "$60 for $1"),
        ("60 for every 1 wagered", "60 for every 1"),
        ("60 units for each dollar", "60 units for each dollar"),
        ("win 60 for 1", "60 for 1"),
        ("For example 60 for 1", "60 for 1"),
    ],
)
def test_odds_stated_with_for(text: str, found: str) -> None:
    (problem,) = find_wording_problems(text, WORDING)
    assert problem.found == found
    assert " ".join(text[problem.start : problem.end].split()) == found
    assert (problem.word.lower(), problem.clause) == ("for", "4(a)")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "60 to 1",
        "60-to-1",
        "For example 60 to 1",
        "for 60 to 1",
        "Three of a kind pays 150 to 1 for 3 alike",
        "Total 4 for 60 to 1",
        "Bet 1 win 60",
        "1 win 60 for the triple",
        "Ask for 2 copies",
        "Open 24 hours for everybody",
        "5 forints",
        "comfort 60 before 1",
        "Table 60, for 1 player",
        "4 fortune 5",
    ],
)
def test_what_is_not_odds_stated_with_for(text: str) -> None:
    assert find_wording_problems(text, WORDING) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Any triple 24:1", "24:1"),
        ("24 : 1", "24 : 1"),
        ("Any triple pays 24/1.", "24/1"),
        ("odds of 24-1", "24-1"),
        ("Any triple pays 25 times", "25 times"),
        ("paid 25x", "25x"),
        ("25 times your stake", "25 times your stake"),
    ],
)
def test_odds_stated_without_an_allowed_word(text: str, found: str) -> None:
    (problem,) = find_wording_problems(text, WORDING)
    assert (problem.found, problem.word, problem.clause) == (found, "", "4(a)")
    assert problem.sentence == f"Line 1: “{found}” states odds without “to” or “win” (clause 4(a))."
    for slug in (NSW, RWS, MBS, SKYCITY):
        assert find_wording_problems(text, pack_of(slug).duties.odds_wording) == []


@pytest.mark.parametrize(
    "text",
    [
        "Open from 10:30 to 1:15",
        "From 24/1 on",
        "On 24/1/2026 and 1/24",
        "The dice are shaken 3 times",
        "pays 24 to 1",
        "pays 24-to-1",
        "Bet 1 win 24",
        "Pays out 7 days a week",
        "Ratio 24:10",
    ],
)
def test_figures_that_state_no_odds(text: str) -> None:
    assert find_wording_problems(text, WORDING) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("24:1", ["24:1"]),
        ("1:62", ["1:62"]),
        ("24/1", ["24/1"]),
        ("25", ["25"]),
        ("pays 25 times", ["25 times"]),
        ("24 for 1", ["24 for 1"]),
        ("24 to 1", []),
        ("1 win 24", []),
        ("even money", []),
    ],
)
def test_a_text_that_is_odds_needs_an_allowed_word(text: str, found: list[str]) -> None:
    assert [each.found for each in find_posted_odds_problems(text, WORDING)] == found
    assert find_posted_odds_problems(text, pack_of(NSW).duties.odds_wording) == []


def test_each_place_is_named_by_line_and_column() -> None:
    text = "Small 1 to 1\nTotal 4: 60 for 1\n\nTriple 150-for-1, any triple 24 for one"
    problems = find_wording_problems(text, WORDING)
    assert [(each.found, each.line, each.column) for each in problems] == [
        ("60 for 1", 2, 10),
        ("150-for-1", 4, 8),
        ("24 for one", 4, 30),
    ]
    assert problems[0].sentence == (
        "Line 2: “60 for 1” states odds with “for”; use “to” or “win” (clause 4(a)). "
        "Odds worded “for” count the stake in, so check the figures before you change the word."
    )


@pytest.mark.parametrize("slug", [NSW, RWS, MBS, SKYCITY])
def test_a_document_that_is_silent_forbids_no_word(slug: str) -> None:
    assert find_wording_problems("60 for 1", pack_of(slug).duties.odds_wording) == []


def test_the_words_are_the_packs() -> None:
    against = OddsWording(Clause("9"), words_allowed=(), words_forbidden=("against",))
    assert [each.found for each in find_wording_problems("60 for 1, 60 against 1", against)] == ["60 against 1"]


def test_a_long_text_does_not_take_long() -> None:
    started = time.process_time()
    for text in (
        "1 " * 20_000,
        "one " * 20_000,
        "1 1/" * 20_000,
        "1,1" * 20_000,
        "60 for " * 20_000,
        "pays 1 " * 20_000,
    ):
        assert find_wording_problems(text, WORDING) is not None
    assert time.process_time() - started < 5
