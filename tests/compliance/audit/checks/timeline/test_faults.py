"""Faults of the lights: NSW 8.8 requires an inspector to be notified and play to stop; Licensee 6(b) requires its
supervisor."""

from typing import Any

import pytest

from compliance.audit.models import Finding
from rounds.intake.protocol.equipment import Fault, FaultCleared
from rounds.intake.protocol.fields import Staff
from tests.compliance.audit.house import House
from tests.compliance.audit.round_builders import LICENSEE, MBS, NSW, SKYCITY
from tests.compliance.audit.table_lines import TableReporter, after, notified

pytestmark = pytest.mark.django_db
INSPECTOR = (notified("inspector", after(0)),)
SUPERVISOR = Staff(position="casino-supervisor")


def at_table(house: House, rules: str) -> TableReporter:
    house.open_table(rules=rules)
    return TableReporter(house)


def fails(table: TableReporter, **members: Any) -> int:
    told_of: dict[str, Any] = {
        "equipment": "electrical-device",
        "effect": "not-lit",
        "play_ceased_at": after(0),
        "told": INSPECTOR,
        "settled_before": SUPERVISOR,
    }
    return table.say("fault", Fault(fault="F-1", **told_of | members), after(0))


def mended(table: TableReporter, at: Any) -> None:
    table.say("fault-cleared", FaultCleared(fault="F-1"), at)


def codes(table: TableReporter) -> list[str]:
    table.house.audit()
    return table.house.codes()


@pytest.mark.parametrize(("rules", "found"), [(NSW, ["FAULT-NOT-TOLD"]), (SKYCITY, []), (LICENSEE, []), (MBS, [])])
def test_the_inspector_is_told(house: House, rules: str, found: list[str]) -> None:
    table = at_table(house, rules)
    fails(table, told=())
    assert codes(table) == found


def test_somebody_else_was_told(house: House) -> None:
    table = at_table(house, NSW)
    fails(table, told=(notified("shift-manager", after(0)),))
    assert codes(table) == ["FAULT-NOT-TOLD"]
    assert Finding.objects.get().sentence == "Inspector had not been told of fault F-1 by 20:00:00 AEDT."


@pytest.mark.parametrize(
    ("rules", "found"), [(NSW, ["FAULT-NOT-CEASED"]), (LICENSEE, ["FAULT-NOT-CEASED"]), (SKYCITY, [])]
)
def test_gaming_ceases(house: House, rules: str, found: list[str]) -> None:
    table = at_table(house, rules)
    fails(table, play_ceased_at=None)
    assert codes(table) == found


@pytest.mark.parametrize("seen_by", [None, Staff(position="games-supervisor")])
def test_the_licensees_supervisor_sees_the_round_settled(house: House, seen_by: Staff | None) -> None:
    table = at_table(house, LICENSEE)
    fails(table, settled_before=seen_by)
    assert codes(table) == ["FAULT-UNWITNESSED"]
    assert Finding.objects.get().clause == "6(b)"


def test_nsw_does_not_ask_who_sees_it(house: House) -> None:
    table = at_table(house, NSW)
    fails(table, settled_before=None)
    assert codes(table) == []


def test_a_fault_of_something_else_sets_nothing_off(house: House) -> None:
    table = at_table(house, NSW)
    fails(table, equipment="shoe", effect="broken", told=(), play_ceased_at=None)
    assert codes(table) == []


@pytest.mark.parametrize(
    ("seconds", "found"), [(-1, []), (0, []), (1, ["FAULT-PLAY"])], ids=["mended-before", "just-then", "after"]
)
def test_no_round_begins_before_it_is_mended(house: House, seconds: int, found: list[str]) -> None:
    """The round begins ten minutes after the fault."""
    table = at_table(house, NSW)
    fails(table)
    mended(table, after(10, seconds))
    house.play((1, 2, 3), later=after(10) - after(0))
    assert codes(table) == found


def test_a_round_before_the_fault_and_one_at_another_table(house: House) -> None:
    table = at_table(house, NSW)
    house.play((1, 2, 3), later=after(-10) - after(0))
    fails(table)
    house.rules["sb-2"] = NSW
    house.play((1, 2, 3), table="sb-2", later=after(10) - after(0))
    assert "FAULT-PLAY" not in codes(table)


def test_play_before_the_inspector_was_told(house: House) -> None:
    """Cleared after five minutes, round after ten, inspector notified after fifteen."""
    table = at_table(house, NSW)
    fails(table, told=(notified("inspector", after(15)),))
    mended(table, after(5))
    played = house.play((1, 2, 3), later=after(10) - after(0))
    assert codes(table) == ["FAULT-PLAY"]
    assert Finding.objects.get().subject_index == played


def test_a_fault_that_is_reported_late_judges_the_rounds_played_meanwhile(house: House) -> None:
    table = at_table(house, NSW)
    house.play((1, 2, 3), later=after(10) - after(0))
    assert codes(table) == []
    fails(table)
    assert codes(table) == ["FAULT-PLAY"]
