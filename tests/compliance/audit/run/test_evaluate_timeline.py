"""Timeline checks: late lines and corrections reopen the blocks that looked back at them; a second run changes
nothing."""

import pytest

from compliance.audit.models import Block, Coverage, Finding, TimelineEvent
from compliance.audit.projections.timeline_events import rebuild_events, verify_rows
from rounds.intake.protocol.fields import Staff
from rounds.intake.protocol.table import Correction
from rounds.ledger.readers.consumer import read_entries
from tests.compliance.audit.house import House
from tests.compliance.audit.table_lines import TableReporter, after

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(house: House) -> TableReporter:
    house.open_table()
    return TableReporter(house)


def test_a_sign_that_was_reported_late_clears_the_closing(table: TableReporter) -> None:
    closed = table.closes(after(30))
    table.house.audit()
    assert table.house.codes() == ["CLOSE-NO-SIGN"]
    table.shows("c", "closure", after(0), closure_at=after(30))
    table.house.audit()
    assert table.house.codes() == []
    old = Finding.objects.get(subject_index=closed)
    assert "says what happened earlier" in old.superseded_reason
    assert Block.objects.get().generation == 2


def test_a_sign_that_is_taken_back_was_never_up(table: TableReporter) -> None:
    table.shows("c", "closure", after(0), closure_at=after(30))
    table.closes(after(30), sign="c")
    table.house.audit()
    assert table.house.codes() == []
    table.say("correction", Correction(corrects=1, reason="No sign.", by=Staff(position="dealer")), after(31))
    table.house.audit()
    assert table.house.codes() == ["CLOSE-NO-SIGN"]


def test_a_closing_that_is_taken_back_is_judged_no_more(table: TableReporter) -> None:
    table.closes(after(30))
    table.house.audit()
    table.say("correction", Correction(corrects=1, reason="Not closed.", by=Staff(position="dealer")), after(31))
    table.house.audit()
    assert table.house.codes() == []


def test_lines_in_their_order_open_nothing_again(table: TableReporter) -> None:
    table.opens(after(0))
    table.house.audit()
    table.house.play((4, 2, 4))
    table.shows("c", "closure", after(5), closure_at=after(30))
    table.house.audit()
    table.closes(after(30), sign="c")
    table.house.audit()
    assert Block.objects.get().generation == 1


def test_another_tables_sign_is_not_this_ones(house: House) -> None:
    house.open_table("sb-1")
    other = TableReporter(house, "sb-2")
    other.shows("c", "closure", after(0), closure_at=after(30))
    TableReporter(house).closes(after(30))
    house.audit()
    assert house.codes() == ["CLOSE-NO-SIGN"]


def test_whoever_audits_and_in_however_many_steps_the_result_is_the_same(table: TableReporter) -> None:
    def findings() -> list[object]:
        return [finding.entry_body() for finding in Finding.objects.current().order_by("subject_index")]

    table.closes(after(0))
    table.house.audit()
    table.opens(after(5))
    table.closes(after(10))
    table.house.audit()
    before = findings()
    assert len(before) == 2
    Block.objects.update(audited_to=0, generation=2)
    [again] = table.house.audit()
    assert findings() == before
    assert again.findings == 2
    assert Coverage.objects.filter(generation=1).count() == 2


def test_the_projection_can_be_made_again_and_is_verified(table: TableReporter) -> None:
    table.closes(after(0))
    table.house.audit()
    rows = list(TimelineEvent.objects.order_by("entry_index").values_list("entry_index", "kind", "table", "at"))
    rebuild_events("harbour")
    assert list(TimelineEvent.objects.order_by("entry_index").values_list("entry_index", "kind", "table", "at")) == rows
    entries = read_entries("harbour", 0, 2**31)
    assert list(verify_rows("harbour", 0, 2**31, entries)) == []
    TimelineEvent.objects.filter(kind="table-closed").update(at=after(1))
    [(_, what)] = verify_rows("harbour", 0, 2**31, entries)
    assert what == "the audit's note of it is gone or says something else."
