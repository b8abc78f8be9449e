"""Invalidated outcomes and voided wagers as people record them: NSW 9.3.1, 9.4 and 9.5, SkyCity 8.a."""

from typing import Any

import pytest

from compliance.audit.models import Finding
from rounds.ledger.writing.append import make_entry
from tests.compliance.audit.house import House
from tests.compliance.audit.round_builders import LICENSEE, MBS, NSW, RWS, SKYCITY, wager
from tests.rounds.ledger.harbour_log import record_all

pytestmark = pytest.mark.django_db


def decided(house: House, rules: str, kind: str, **members: Any) -> list[tuple[str, str]]:
    """Code and clause of what is found about a decision on a round whose wager had won and was paid."""
    table = house.open_table(rules=rules)
    if rules == RWS:
        house.add_terminal(table, "t-1", "Appendix A")
    index = house.play((1, 2, 4), wager("small", 1000, 2000, id="w-1", rules=rules))
    body = {"table": "sb-1", "rounds": [index], "at": "2026-11-16T09:02:00Z", "player": "p-01"} | members
    [receipt] = record_all([make_entry(kind, body, table="sb-1")])
    house.audit()
    found = Finding.objects.filter(subject_index=receipt.index)
    assert all(index in each.evidence for each in found)
    return [(each.code, each.clause) for each in found]


@pytest.mark.parametrize(
    ("rules", "position", "grounds", "clause"),
    [
        (NSW, "casino-supervisor", "fraud", None),
        (NSW, "shift-manager", "disruption", None),
        (NSW, "dealer", "fraud", "9.4"),
        (NSW, "", "fraud", "9.4"),
        (NSW, "casino-supervisor", "", "9.4"),
        (NSW, "casino-supervisor", "other", "9.4"),
        # No rank is named there.
        (SKYCITY, "dealer", "fraud", None),
        (SKYCITY, "casino-supervisor", "", "8.a"),
        (RWS, "dealer", "", None),
        (MBS, "dealer", "", None),
        (LICENSEE, "dealer", "", None),
    ],
)
def test_an_invalidation(house: House, rules: str, position: str, grounds: str, clause: str | None) -> None:
    found = decided(house, rules, "invalidation", grounds=grounds, **{"as": position})
    assert found == ([("ROUND-REASON", clause)] if clause else [])


@pytest.mark.parametrize(
    ("rules", "position", "clause"),
    [
        (NSW, "casino-supervisor", None),
        (NSW, "dealer", "9.3.1"),
        (NSW, "", "9.3.1"),
        (SKYCITY, "dealer", None),
        (RWS, "dealer", None),
    ],
)
def test_voided_wagers(house: House, rules: str, position: str, clause: str | None) -> None:
    found = decided(house, rules, "wagers-voided", grounds="device", wagers=[], **{"as": position})
    assert found == ([("ROUND-REASON", clause)] if clause else [])
