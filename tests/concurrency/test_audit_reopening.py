"""An entry that reaches into the past is consumed while another worker audits the block it affects: the block is
audited again."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import msgspec
import pytest
from django.db import connection, transaction
from django.utils import timezone

from compliance.audit.models import BLOCK_ENTRIES, Block, Finding
from compliance.audit.run.consumer import consume_log
from compliance.audit.run.record_findings import audit_next_blocks
from compliance.audit.run.worker import audit_log, consume_new_entries
from rounds.intake.protocol.equipment import Fault, FaultCleared
from rounds.intake.protocol.fields import Staff
from rounds.intake.protocol.table import Correction
from tests.compliance.audit.checks.equipment.test_faults import FAILING
from tests.compliance.audit.conftest import committed_crew, committed_house, quick_passwords
from tests.compliance.audit.house import House
from tests.compliance.audit.run.test_superseded_findings import fill_up_to
from tests.compliance.audit.table_lines import TableReporter, after
from tests.concurrency.test_audit_workers import count_waiting, wait_until, wait_until_so_many_wait

__all__ = ["committed_crew", "committed_house", "quick_passwords"]
LONG_AGO = after(0) - timedelta(days=400)
TAKEN_BACK = Correction(corrects=1, reason="Recorded in error.", by=Staff(position="dealer"))


def work(act: Callable[[], object]) -> None:
    try:
        act()
    finally:
        connection.close()


def audit_everything(house: House) -> None:
    for _ in audit_log(house.casino):
        pass


def audit_first_block(house: House) -> None:
    audit_next_blocks(casino=house.casino, now=timezone.now(), within=(0, BLOCK_ENTRIES))


def side_by_side(house: House) -> None:
    """One worker has evaluated the first block and waits for the log to record its findings; meanwhile another one
    consumes what came since. Each on a connection of its own."""
    with ThreadPoolExecutor(2) as pool:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1 FROM ledger_head FOR UPDATE")
            auditing = pool.submit(work, lambda: audit_first_block(house))
            wait_until_so_many_wait(1)
            consuming = pool.submit(work, lambda: consume_log("harbour"))
            wait_until(lambda: consuming.done() or count_waiting() == 2)
        auditing.result(60)
        consuming.result(60)


@pytest.mark.parametrize("is_withdrawn", [False, True], ids=["a fault comes late", "a fault is withdrawn"])
def test_a_block_being_audited_for_the_first_time_is_audited_again(
    committed_house: House, *, is_withdrawn: bool
) -> None:
    house = committed_house
    house.open_table()
    table = TableReporter(house)
    if is_withdrawn:
        table.say("fault", Fault(fault="F-1", **FAILING), LONG_AGO)
    house.play((1, 2, 3))
    fill_up_to(house, BLOCK_ENTRIES)
    consume_new_entries("harbour")
    if is_withdrawn:
        table.say("correction", TAKEN_BACK, after(5))
    else:
        table.say("fault", Fault(fault="F-1", **FAILING), LONG_AGO)
    side_by_side(house)
    found = Finding.objects.filter(code="FAULT-PLAY")
    assert [each.superseded_at is None for each in found] == ([True] if is_withdrawn else [])
    assert Block.objects.get(number=0).generation == 2
    house.audit()
    assert "FAULT-PLAY" in house.codes() if not is_withdrawn else "FAULT-PLAY" not in house.codes()


def test_two_workers_after_a_fault_was_withdrawn(committed_house: House) -> None:
    """The withdrawn fault had reported lights that failed, and another fault was never cleared: the round after them is
    no play for two reasons, and one finding says both."""
    house = committed_house
    house.open_table()
    table = TableReporter(house)
    old = table.say("fault", Fault(fault="F-1", **FAILING), LONG_AGO)
    failed = house.play((1, 2, 4), lit=())
    table.say("fault", Fault(fault="F-2", **FAILING), after(1))
    table.say("fault-cleared", FaultCleared(fault="F-2"), after(2))
    following = house.play((1, 2, 4), later=timedelta(minutes=5))
    house.audit()
    table.say("correction", msgspec.structs.replace(TAKEN_BACK, corrects=3), after(6))
    with ThreadPoolExecutor(2) as pool:
        workers = [pool.submit(work, lambda: audit_everything(house)) for _ in range(2)]
        for worker in workers:
            worker.result(60)
    house.audit()
    assert not Block.objects.waiting().exists()
    found = Finding.objects.current().get(code="FAULT-PLAY", subject_index=following)
    assert {old, failed} < set(found.evidence)
