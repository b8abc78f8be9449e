"""Several blocks evaluated at once give the same result as one by one."""

from typing import Any

import pytest
from django.db import transaction

from compliance.audit.models import BLOCK_ENTRIES, Block, Coverage, DailyBetTotals, DailyTotals, Finding, ReadingImpact
from compliance.audit.run.consumer import consume_log
from compliance.audit.run.record_findings import MIN_BLOCKS_PER_BATCH, audit_next_blocks
from compliance.audit.run.worker import audit_log
from rounds.ledger.writing.append import append, make_entry
from tests.compliance.audit.house import NOW, House
from tests.compliance.audit.round_builders import wager
from tests.entry_kinds import FILLER

BLOCKS = 6


def play_over_several_blocks(house: House, blocks: int = BLOCKS) -> None:
    """In each block a round, in every second one of which small is paid a dollar too much: 1 to 1 on 25 dollars."""
    house.open_table()
    for number in range(blocks):
        house.play((4, 2, 4), wager("small", 2_500, 5_100 if number % 2 else 5_000), wager("total:10", 1_000, 7_000))
        with transaction.atomic():
            append(house.casino.slug, [make_entry(FILLER, {"number": number})] * (BLOCK_ENTRIES - 20), NOW)


def audited(house: House) -> tuple[list[int], list[Any]]:
    """How many blocks each batch took, and everything recorded except entry indexes. Rolled back."""
    with transaction.atomic():
        turns = []
        while covered := audit_next_blocks(casino=house.casino, now=NOW):
            turns.append(len(covered))
        recorded = [
            list(model.objects.order_by("pk").values_list(*columns))
            for model, columns in (
                (Coverage, ("first", "last", "rounds", "wagers", "findings", "result_sha256")),
                (Finding, ("subject_index", "code", "wager", "required_cents", "found_cents", "sentence")),
                (DailyTotals, ("first", "gaming_day", "table", "rounds", "variance")),
                (DailyBetTotals, ("first", "bet", "sort", "returns", "wagers", "staked_cents", "returned_cents")),
                (ReadingImpact, ("first", "reading", "choice", "wagers", "adopted_cents", "other_cents")),
            )
        ]
        transaction.set_rollback(True)
    return turns, recorded


def test_several_at_once_come_to_what_one_by_one_comes_to(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    play_over_several_blocks(house)
    consume_log(house.casino.slug)
    assert Block.objects.waiting().count() == BLOCKS
    turns, several = audited(house)
    monkeypatch.setattr("compliance.audit.run.record_findings.MAX_BLOCKS_PER_BATCH", 1)
    singly, one_by_one = audited(house)
    assert max(turns) > 1
    assert singly == [1] * BLOCKS
    assert several == one_by_one
    assert [(code, required) for _, code, _, required, *_ in several[1]] == [("SETTLE-OVERPAID", 5_000)] * 3


def helpers_called(house: House, *, is_time_up: bool = False) -> int:
    called: list[bool] = []
    for _ in audit_log(house.casino, is_time_up=lambda: is_time_up, wake_helper=lambda: called.append(True)):
        pass
    return len(called)


def test_who_brings_work_for_two_calls_for_help_once(house: House) -> None:
    play_over_several_blocks(house)
    assert helpers_called(house, is_time_up=True) == 1
    assert Block.objects.waiting().count() == BLOCKS
    # A worker without new entries wakes nobody; otherwise a log that cannot be audited would be retried for ever.
    assert helpers_called(house, is_time_up=True) == 0
    assert helpers_called(house) == 0
    assert not Block.objects.waiting().exists()


def test_a_turn_s_work_calls_nobody(house: House) -> None:
    play_over_several_blocks(house, MIN_BLOCKS_PER_BATCH - 1)
    assert helpers_called(house) == 0
