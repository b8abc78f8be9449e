"""NSW 4.1, SkyCity 3.h, RWS 3.3: the minimum and maximum are shown. The other two documents are silent."""

from datetime import datetime

import pytest

from compliance.audit.models import Finding
from rounds.floor.fact_values import LimitsValue
from rounds.intake.protocol.fields import Limits
from tests.compliance.audit.house import House
from tests.compliance.audit.round_builders import LICENSEE, MBS, NSW, RWS, SKYCITY
from tests.compliance.audit.table_lines import TableReporter, after

pytestmark = pytest.mark.django_db
CLAUSES = {NSW: "4.1", SKYCITY: "3.h", RWS: "3.3"}
SIGN = {"min": 500, "max": 50_000}
ON_RECORD = LimitsValue(min=500, max=50_000)
NOT_SHOWN = ["LIMIT-NOT-SHOWN"]


def at_table(house: House, rules: str, limits: LimitsValue | None = None) -> TableReporter:
    house.open_table(rules=rules, limits=limits)
    return TableReporter(house)


def codes(table: TableReporter) -> list[str]:
    table.house.audit()
    return [code for code in table.house.codes() if not code.startswith("INSPECT")]


@pytest.mark.parametrize("rules", [NSW, SKYCITY, RWS, MBS, LICENSEE])
def test_a_table_that_opens_without_any_limits(house: House, rules: str) -> None:
    table = at_table(house, rules)
    table.opens(after(0), limits=None)
    assert codes(table) == (NOT_SHOWN if rules in CLAUSES else [])
    assert [each.clause for each in Finding.objects.filter(code="LIMIT-NOT-SHOWN")] == list(
        filter(None, [CLAUSES.get(rules)])
    )


@pytest.mark.parametrize("stated", ["line", "sign", "record"])
@pytest.mark.parametrize("rules", CLAUSES)
def test_limits_in_the_opening_line_on_a_sign_or_on_record_are_enough(house: House, rules: str, stated: str) -> None:
    table = at_table(house, rules, ON_RECORD if stated == "record" else None)
    if stated == "sign":
        table.shows("l", "limits", after(-1), **SIGN)
    table.opens(after(0), limits=Limits(min=500, max=50_000) if stated == "line" else None)
    assert codes(table) == []


@pytest.mark.parametrize("rules", [NSW, SKYCITY, RWS, MBS, LICENSEE])
@pytest.mark.parametrize(
    ("removed_at", "back_at", "found"),
    [
        (after(0, -1), None, NOT_SHOWN),
        (after(0), None, NOT_SHOWN),
        (after(0, 1), None, []),
        (after(-1), after(0, -1), []),
        (after(-1), after(0, 30), []),
        (after(-1), after(0, 31), NOT_SHOWN),
    ],
    ids=["before-it", "at-its-beginning", "during-it", "back-before-it", "back-at-the-cut-off", "back-after-it"],
)
def test_a_round_while_the_sign_is_down(
    house: House, rules: str, removed_at: datetime, back_at: datetime | None, found: list[str]
) -> None:
    """The round begins at 09:00:00 and its betting closes at 09:00:30."""
    table = at_table(house, rules, ON_RECORD)
    table.shows("l", "limits", after(-60), **SIGN)
    table.removes("l", removed_at)
    if back_at is not None:
        table.shows("l", "limits", back_at, again=True, **SIGN)
    house.play((4, 5, 6))
    assert codes(table) == (found if rules in CLAUSES else [])


def test_another_limits_sign_still_stands(house: House) -> None:
    table = at_table(house, NSW, ON_RECORD)
    for sign in ("front", "back"):
        table.shows(sign, "limits", after(-60), **SIGN)
    table.removes("front", after(-1))
    house.play((4, 5, 6))
    assert codes(table) == []
    table.removes("back", after(-0.5))
    assert codes(table) == NOT_SHOWN


def test_a_round_that_reports_its_sign_has_one(house: House) -> None:
    table = at_table(house, NSW, ON_RECORD)
    table.shows("l", "limits", after(-60), **SIGN)
    table.removes("l", after(-1))
    house.play((4, 5, 6), limits=Limits(min=500, max=50_000))
    assert codes(table) == []


@pytest.mark.parametrize("rules", [NSW, SKYCITY, RWS])
@pytest.mark.parametrize("is_stated", [True, False])
def test_multiples_are_required_only_if_the_sign_says_so(house: House, rules: str, is_stated: bool) -> None:
    """NSW 4.1 and SkyCity 3.h; RWS says nothing of multiples."""
    table = at_table(house, rules, LimitsValue(min=500, max=50_000, multiples=True))
    house.play((4, 5, 6), limits=Limits(min=500, max=50_000, multiples=is_stated))
    assert codes(table) == ([] if is_stated or rules == RWS else ["LIMIT-SOURCES"])
    if rules == NSW and not is_stated:
        assert Finding.objects.get().sentence == (
            "The sign in the round says $5.00 to $500.00 and nothing of multiples; "
            "the limits on record are $5.00 to $500.00 in multiples of the minimum."
        )
