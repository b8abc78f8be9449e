"""Entries that are not stored, evaluated on top of stored ones: what they would add, and that nothing is written."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection, transaction

from compliance.audit.context.stored_entries import StoredEntries
from compliance.audit.run.evaluate_in_memory import evaluate_in_memory
from rounds.floor.fact_values import LimitsValue
from rounds.intake.protocol.envelope import encode_line
from rounds.intake.protocol.round import Round
from rounds.intake.protocol.table import SignShown, TableClosed, TableOpened
from rounds.ledger import LogEntry, encode_body, encode_timestamp, size_of
from tests.compliance.audit.house import House, shifted
from tests.compliance.audit.round_builders import NSW, START, build_round, wager
from tests.compliance.audit.table_lines import DAY, TableReporter, after

TWO_MINUTES = timedelta(minutes=2)
BY = {"id": 1, "name": "Sid"}


class Planned:
    """Entries that would follow those of the house, with provisional indexes."""

    def __init__(self, house: House) -> None:
        self.house, self.entries = house, list[LogEntry]()
        self.first = size_of(house.casino.slug)

    def add(self, kind: str, body: bytes, controller: str | None = None, sequence: int | None = None) -> int:
        index = self.first + len(self.entries)
        self.entries.append(
            LogEntry(self.house.casino.slug, index, kind, "sb-1", controller, sequence, after(60), body, b"")
        )
        return index

    def act(self, kind: str, **content: Any) -> int:
        return self.add(kind, encode_body({"by": BY, "at": encode_timestamp(after(30)), **content}))

    def line(self, kind: str, body: Any, at: datetime) -> int:
        sequence = 100 + len(self.entries)
        return self.add(
            kind, encode_line(kind=kind, table="sb-1", sequence=sequence, at=at, body=body), "box-1", sequence
        )

    def codes(self, *again: int) -> list[str]:
        drafts = evaluate_in_memory(StoredEntries(self.house.casino), self.entries, again=again)
        return sorted(draft.code for draft in drafts)


@pytest.fixture
def house(house: House) -> House:
    house.open_table(limits=LimitsValue(min=500, max=50_000))
    return house


def settled_round(returned: int, **rest: Any) -> Round:
    return build_round(NSW, (1, 2, 4), wager("small", 1_000, returned), **rest)


def test_a_planned_round_is_judged_by_the_stored_rules_and_facts(house: House) -> None:
    planned = Planned(house)
    planned.line("round", settled_round(2_000), START)
    assert planned.codes() == []
    planned.line("round", shifted(settled_round(1_500, round="r-2"), TWO_MINUTES), START + TWO_MINUTES)
    assert planned.codes() == ["SETTLE-UNDERPAID"]


def test_a_planned_closing_is_judged_by_a_stored_sign(house: House) -> None:
    table = TableReporter(house)
    table.opens(after())
    table.shows("s-1", "closure", after(minutes=1), closure_at=after(minutes=21))
    house.audit()
    for minutes, found in ((21, []), (20.99, ["CLOSE-SHORT-NOTICE"])):
        planned = Planned(house)
        planned.line("table-closed", TableClosed(gaming_day=DAY, players_present=True), after(minutes=minutes))
        assert planned.codes() == found


def test_a_planned_sign_counts_for_a_planned_closing(house: House) -> None:
    planned = Planned(house)
    planned.line("table-opened", TableOpened(gaming_day=DAY), after())
    planned.line("sign-shown", SignShown(sign="s-1", purpose="closure", closure_at=after(minutes=21)), after(minutes=1))
    planned.line("table-closed", TableClosed(gaming_day=DAY, players_present=True), after(minutes=21))
    assert planned.codes() == []


def test_a_planned_decision_changes_a_stored_round(house: House) -> None:
    index = house.play((1, 2, 4), wager("small", 1_000, 0))
    house.audit()
    assert Planned(house).codes(index) == ["SETTLE-WINNER-UNPAID"]
    planned = Planned(house)
    decision = {"rounds": [index], "grounds": "disruption", "forfeited": [], "as": "casino-supervisor"}
    planned.act("invalidation", **decision)
    assert planned.codes(index) == ["SETTLE-VOID-KEPT"]


def test_a_planned_payment_after_a_dispute_settles_a_stored_wager(house: House) -> None:
    index = house.play((1, 2, 4), wager("small", 1_000, 0, id="w-1"))
    house.audit()
    for cents, found in ((2_000, []), (1_999, ["SETTLE-UNDERPAID"])):
        planned = Planned(house)
        paid = {"dispute": "D-1", "wager": "w-1", "way": "cash", "amount_cents": cents}
        planned.act("dispute-paid", corrects=index, **paid)
        assert planned.codes(index) == found


def test_a_planned_correction_takes_a_stored_entry_back(house: House) -> None:
    table = TableReporter(house)
    table.opens(after())
    sign = table.shows("s-1", "closure", after(minutes=1), closure_at=after(minutes=21))
    house.audit()
    planned = Planned(house)
    planned.act("correction", corrects=sign, reason="Never shown.")
    planned.line("table-closed", TableClosed(gaming_day=DAY, players_present=True), after(minutes=21))
    assert planned.codes() == ["CLOSE-NO-SIGN"]


def test_nothing_is_written_and_no_transaction_id_is_assigned(committed_house: House) -> None:
    house = committed_house
    house.open_table(limits=LimitsValue(min=500, max=50_000))
    index = house.play((1, 2, 4), wager("small", 1_000, 0))
    house.audit()
    planned = Planned(house)
    planned.line("round", shifted(settled_round(1_500, round="r-9"), TWO_MINUTES), START + TWO_MINUTES)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION READ ONLY")
        assert planned.codes(index) == ["SETTLE-UNDERPAID", "SETTLE-WINNER-UNPAID"]
        cursor.execute("SELECT pg_current_xact_id_if_assigned()")
        assert cursor.fetchone() == (None,)
