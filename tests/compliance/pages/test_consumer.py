"""TableState is projected from the log, only moves forward, and is compared with the log by verification."""

from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from compliance.pages.models import TableState
from compliance.pages.table_state_consumer import consume_table_entries
from rounds.intake.protocol.examples import BODIES
from rounds.ledger import append, make_entry
from rounds.ledger.verify.verify_log import verify_log
from tests.compliance.pages.live_floor import record_round, run_consumers
from tests.rounds.floor.crew import OPENING, Crew
from tests.rounds.intake.controller_client import Feeder

MINUTE = timedelta(minutes=1)


def standing(table: str = "sb-1") -> TableState:
    run_consumers()
    return TableState.objects.get(log="harbour", table=table)


def test_the_last_round_and_whether_the_table_is_open(feeder: Feeder) -> None:
    feeder.send(feeder.line("table-opened"), feeder.line("round", round="R-1", dice=[1, 2, 3]))
    feeder.send(feeder.line("round", round="R-2", dice=[6, 6, 6]))
    state = standing()
    assert (state.round_name, state.faces, state.is_open) == ("R-2", [6, 6, 6], True)
    feeder.send(feeder.line("table-closed"))
    assert standing().is_open is False


def test_a_round_that_comes_late_is_not_the_last_one(crew: Crew) -> None:
    record_round("sb-1", OPENING, OPENING, round="R-9")
    record_round("sb-1", OPENING - MINUTE, OPENING + MINUTE, round="R-8-from-paper")
    assert standing().round_name == "R-9"
    record_round("sb-1", OPENING + MINUTE, OPENING + MINUTE, round="R-10")
    assert standing().round_name == "R-10"


def test_of_many_lines_the_latest_counts_however_they_are_written(crew: Crew) -> None:
    """Lines are read by their beginning. One that begins otherwise, with spaces or with its body, is read whole."""
    for minute, name in ((3, "R-3"), (9, "R-9"), (1, "R-1"), (5, "R-5")):
        record_round("sb-1", OPENING + minute * MINUTE, OPENING + 60 * MINUTE, round=name)
    assert standing().round_name == "R-9"
    late = {"body": {**BODIES["round"], "round": "R-10"}, "at": (OPENING + 10 * MINUTE).isoformat(), "kind": "round"}
    early = {**late, "body": {**BODIES["round"], "round": "R-8"}, "at": (OPENING + 8 * MINUTE).isoformat()}
    with transaction.atomic():
        append("harbour", [make_entry("round", each, table="sb-1") for each in (late, early)], OPENING + 61 * MINUTE)
    assert standing().round_name == "R-10"
    assert not any("table 'sb-1'" in issue.sentence for issue in verify_log("harbour").issues)


def test_a_clock_that_runs_ahead_does_not_hold_the_place(crew: Crew) -> None:
    record_round("sb-1", OPENING + 600 * MINUTE, OPENING, round="R-fast")
    record_round("sb-1", OPENING + MINUTE, OPENING + MINUTE, round="R-after")
    assert standing().round_name == "R-after"


def test_a_round_without_result_says_why(crew: Crew) -> None:
    record_round("sb-1", OPENING, OPENING, dice=None, no_result={"reason": "not-flat"})
    assert (standing().faces, standing().no_result) == (None, "not-flat")


def test_following_twice_changes_nothing_and_the_log_fits(feeder: Feeder) -> None:
    feeder.send(feeder.line("table-opened"), feeder.line("round"), feeder.line("round"))
    run_consumers()
    before = TableState.objects.values().get()
    consume_table_entries()
    assert TableState.objects.values().get() == before
    assert verify_log("harbour").issues == ()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"faces": [1, 1, 1]}, "shows something else of table 'sb-1'"),
        ({"is_open": False}, "shows something else of table 'sb-1'"),
        ({"round_at": timezone.now() + timedelta(days=1)}, "shows something else of table 'sb-1'"),
        ({"table": "sb-2"}, "does not show this round as the last of table 'sb-1'"),
        ({"turned_at": None, "turned_index": None}, "does not show this opening or closing as the last"),
    ],
)
def test_a_row_that_was_changed_is_found_by_the_verification(
    feeder: Feeder, change: dict[str, object], words: str
) -> None:
    feeder.send(feeder.line("table-opened"), feeder.line("round"))
    run_consumers()
    assert verify_log("harbour").issues == ()
    TableState.objects.update(**change)
    assert any(words in misfit.sentence for misfit in verify_log("harbour").issues)


def test_what_was_not_followed_yet_is_no_fault(feeder: Feeder) -> None:
    feeder.send(feeder.line("round"))
    assert not TableState.objects.exists()
    assert verify_log("harbour").issues == ()
