"""Licensee 4(a) and 4(b): odds that a table posts are at least the document's, and never worded with “for”."""

import pytest

from compliance.audit.models import Finding
from rounds.floor.fact_values import PostedOddsValue
from rounds.intake.protocol.table import PostedOddsShown
from tests.compliance.audit.house import House
from tests.compliance.audit.round_builders import LICENSEE, NSW
from tests.compliance.audit.table_lines import TableReporter, after

pytestmark = pytest.mark.django_db
Odds = dict[str, str | tuple[str, ...]]


def posted(house: House, odds: Odds, rules: str = LICENSEE, **rest: object) -> int:
    house.open_table(rules=rules)
    body = PostedOddsShown(odds=odds, **rest)  # type: ignore[arg-type]
    index = TableReporter(house).say("posted-odds-shown", body, after(0))
    house.audit()
    return index


@pytest.mark.parametrize(
    ("odds", "found"),
    [
        ({"total:4": "49.5 to 1"}, ["ODDS-BELOW-MINIMUM"]),
        ({"total:4": "50 to 1"}, []),
        ({"total:4": "50.5 to 1"}, []),
        ({"single:2": ("1 to 10", "2 to 1", "3 to 1")}, []),
        ({"single:2": ("1 to 11", "2 to 1", "3 to 1")}, ["ODDS-BELOW-MINIMUM"]),
        ({"triple:any": "24 to 1", "small": "1 to 1", "pair:1-2": "5 to 1"}, []),
    ],
    ids=["just-under", "at", "just-over", "levels-at", "level-just-under", "all-at"],
)
def test_odds_are_at_least_the_documents(house: House, odds: Odds, found: list[str]) -> None:
    posted(house, odds)
    assert house.codes() == found


def test_all_that_is_too_low_is_one_finding(house: House) -> None:
    index = posted(house, {"total:4": "45 to 1", "total:5": "18 to 1", "total:8": "7 to 1"})
    finding = Finding.objects.get()
    assert (finding.subject_index, finding.clause, finding.table) == (index, "4(b)", "sb-1")
    assert finding.sentence == (
        "Posted for total 4, total 8: 45 to 1, 7 to 1; at least 50 to 1, 8 to 1 must be offered."
    )


def test_odds_worded_with_for(house: House) -> None:
    posted(house, {"total:4": "60 for 1"})
    finding = Finding.objects.get()
    assert (finding.code, finding.clause) == ("ODDS-WORDING", "4(a)")
    assert finding.sentence == "The layout is worded “60 for 1”; the rules ask for “to” or “win”."


def test_a_brochure_is_held_to_its_words_and_posts_nothing(house: House) -> None:
    posted(house, {"total:4": "45 to 1"}, where="brochure", wording="Any triple pays thirty for one")
    assert house.codes() == ["ODDS-WORDING"]


def test_what_a_person_recorded_counts_the_same(house: House) -> None:
    table = house.open_table(rules=LICENSEE)
    house.state(table, PostedOddsValue(odds={"total:4": "45 to 1"}), at=after(0))
    house.audit()
    assert house.codes() == ["ODDS-BELOW-MINIMUM"]


def test_where_no_odds_are_posted_nothing_is_said(house: House) -> None:
    posted(house, {"total:4": "1 for 1"}, rules=NSW)
    assert house.codes() == []
