"""FEED-CHIPS-COUNT: a table redeems no more chips of a colour than it issued and players can have won."""

from typing import Any

import pytest

from compliance.audit.models import Finding
from tests.compliance.audit.checks.timeline.test_chips_and_cards import at_table, issues, redeems
from tests.compliance.audit.checks.timeline.test_colour_chips import chips_wager
from tests.compliance.audit.house import House
from tests.compliance.audit.round_builders import LICENSEE, MBS, NSW, RWS, SKYCITY, wager
from tests.compliance.audit.table_lines import TableReporter, after

pytestmark = pytest.mark.django_db
FOUND = ["FEED-CHIPS-COUNT"]


def codes(table: TableReporter) -> list[str]:
    table.house.audit()
    return [code for code in table.house.codes() if code.startswith("FEED-")]


def redeem(table: TableReporter, chips: int, minute: float = 30, **members: Any) -> int:
    return redeems(table, minute, **{"chips": chips, "paid": 500 * chips} | members)


@pytest.fixture
def table(house: House) -> TableReporter:
    return at_table(house, NSW)


@pytest.mark.parametrize("rules", [NSW, RWS, MBS, SKYCITY, LICENSEE])
@pytest.mark.parametrize(("chips", "found"), [(39, []), (40, []), (41, FOUND)], ids=["fewer", "as-many", "more"])
def test_no_more_than_were_issued(house: House, rules: str, chips: int, found: list[str]) -> None:
    table = at_table(house, rules)
    issued = issues(table)
    index = redeem(table, chips)
    assert codes(table) == found
    for finding in Finding.objects.filter(code="FEED-CHIPS-COUNT"):
        assert (finding.subject_index, finding.clause, issued in finding.evidence) == (index, "", True)
        assert finding.sentence == (
            "Blue of set T1 was redeemed: 41 chips; 40 were out, and at most 0 can have been won."
        )


@pytest.mark.parametrize(("chips", "found"), [(15, []), (16, FOUND)])
def test_what_was_redeemed_before_counts(table: TableReporter, chips: int, found: list[str]) -> None:
    issues(table)
    redeem(table, 25)
    redeem(table, chips, 31)
    assert codes(table) == found


def test_a_further_issue_counts(table: TableReporter) -> None:
    issues(table)
    issues(table, 1, chips=10)
    redeem(table, 50)
    assert codes(table) == []


@pytest.mark.parametrize(("chips", "found"), [(44, []), (45, FOUND)])
def test_chips_that_can_have_been_won(table: TableReporter, chips: int, found: list[str]) -> None:
    """Two dollars of ten won twice: four chips of five dollars."""
    issues(table, -10)
    table.house.play((1, 2, 3), chips_wager(1_000, 2_000), wager("small", 1_000, 2_000, player="p-1"))
    redeem(table, chips)
    assert codes(table) == found


def test_winnings_that_were_paid_in_value_chips_do_not_count(table: TableReporter) -> None:
    issues(table, -10)
    table.house.play((1, 2, 3), chips_wager(1_000, 2_000, paid_in="value-chips"))
    redeem(table, 41)
    assert codes(table) == FOUND


def test_chips_of_two_players_with_one_colour_are_counted_together(table: TableReporter) -> None:
    issues(table)
    issues(table, 1, player="p-2", agreed=True)
    redeem(table, 60)
    redeem(table, 20, 31, player="p-2")
    assert codes(table) == []


@pytest.mark.parametrize("members", [{"colour": "red"}, {"issued_at": "sb-9"}])
def test_chips_without_a_recorded_issue_are_not_counted(table: TableReporter, members: dict[str, Any]) -> None:
    issues(table)
    redeem(table, 100, **members)
    assert codes(table) == []


def test_chips_kept_over_a_closing_are_still_out(table: TableReporter) -> None:
    issues(table, -50)
    table.closes(after(-40), players=False)
    table.opens(after(-30))
    issues(table, -20, chips=10)
    redeem(table, 50)
    assert codes(table) == []


def test_a_redemption_beyond_is_found_once(table: TableReporter) -> None:
    issues(table)
    redeem(table, 60)
    issues(table, 31, chips=5)
    redeem(table, 5, 32)
    assert codes(table) == FOUND


def test_an_issue_that_arrives_late_takes_the_finding_back(table: TableReporter) -> None:
    issues(table)
    redeem(table, 50)
    assert codes(table) == FOUND
    issues(table, 1, chips=10)
    assert codes(table) == []


def test_a_round_that_arrives_late_takes_the_finding_back(table: TableReporter) -> None:
    issues(table, -10)
    redeem(table, 42)
    assert codes(table) == FOUND
    table.house.play((1, 2, 3), chips_wager(1_000, 2_000))
    assert codes(table) == []
