"""A log that no longer has what was signed is read-only: PostgreSQL refuses entries until a new epoch begins."""

from __future__ import annotations

import threading
from datetime import UTC, datetime

import pytest
from django.db import DatabaseError, connection, transaction

from compliance.config.celery import ReadOnlyTolerantTask, app
from rounds.ledger.entry_kinds import EPOCH
from rounds.ledger.maintenance.epochs import (
    LogNotHalted,
    append_epoch_entry,
    prepare_epoch,
    switch_origin,
)
from rounds.ledger.maintenance.halt import (
    halt_damaged_logs,
    halt_if_damaged,
    halt_restored_log,
    submit_outside_checkpoint,
)
from rounds.ledger.models import Halt
from rounds.ledger.read_only import LogReadOnly, open_halt_of
from rounds.ledger.readers.consumer import consume
from rounds.ledger.signing.checkpoint_file import load_checkpoint_file, save_checkpoint_file
from rounds.ledger.signing.checkpoints import (
    hold_signing_lock,
    known_keys_for,
    newest_checkpoint_note,
    sign_log,
    signing_key_for,
    verifier_key_for,
)
from rounds.ledger.signing.origins import epoch_file_path, origin_of
from rounds.ledger.storage import get_log, head_of
from rounds.ledger.tasks import sign_every_log
from rounds.ledger.verify.verify_log import verify_log
from rounds.ledger.writing.append import make_entry
from rounds.ledger.writing.batch_append import submit
from rounds.transparency_log.errors import NoteError
from rounds.transparency_log.formats.signed_note import open_checkpoint, sign_checkpoint
from rounds.transparency_log.tree.merkle import TreeHead
from tests.rounds.ledger import harbour_log

NOW = datetime(2026, 11, 17, 9, 30, 12, tzinfo=UTC)
TOLD = make_entry(EPOCH.name, {"lost": "Entries 5 to 7."})


def lose(count: int) -> None:
    """Remove the newest entries and reset the head, as a restore does."""
    log = get_log(harbour_log.LOG).pk
    size = head_of(get_log(harbour_log.LOG)).size - count
    with harbour_log.unguarded() as rogue:
        rogue.execute("DELETE FROM ledger_entry WHERE log_id = %s AND index >= %s", [log, size])
        rogue.execute("DELETE FROM ledger_checkpoint WHERE log_id = %s AND size > %s", [log, size])
        rogue.execute("UPDATE ledger_head SET size = %s, frontier = %s WHERE log_id = %s", [size, frontiers[size], log])


frontiers: dict[int, bytes] = {}


def play(count: int, first: int = 0) -> None:
    for number in range(first, first + count):
        harbour_log.play(1, first=number)
        with connection.cursor() as cursor:
            cursor.execute("SELECT size, frontier FROM ledger_head WHERE log_id = %s", [get_log(harbour_log.LOG).pk])
            size, frontier = cursor.fetchone()
        frontiers[size] = bytes(frontier)


@pytest.fixture
def behind(committed_log: str) -> str:
    """A log with five signed entries, of which eight were signed before."""
    play(5)
    sign_log(committed_log, NOW)
    play(3, first=5)
    sign_log(committed_log, NOW)
    lose(3)
    return committed_log


def begin(log: str) -> bytes:
    with hold_signing_lock(log):
        with transaction.atomic():
            beginning = prepare_epoch(log, NOW)
            append_epoch_entry(beginning, TOLD, NOW)
        return switch_origin(beginning, NOW)


def test_the_minute_job_and_each_start_halt_a_log_that_is_behind_and_nobody_can_append(behind: str) -> None:
    sign_every_log()
    halt = open_halt_of(behind)
    assert halt is not None
    assert (halt.epoch, halt.size, halt.reason, halt.note and bytes(halt.note)) == (
        2,
        5,
        "shrank",
        load_checkpoint_file(behind),
    )
    halt_damaged_logs(now=NOW)
    assert Halt.objects.count() == 1, "It is halted once."
    for attempt in (
        lambda: harbour_log.play(1, first=5),
        lambda: submit(behind, [harbour_log.note(1)], NOW),
        lambda: sign_log(behind, NOW),
    ):
        with pytest.raises(LogReadOnly) as refused:
            attempt()
        assert (refused.value.code, refused.value.status, refused.value.headers["Retry-After"]) == (
            "log-read-only",
            503,
            "60",
        )
    seen: list[int] = []
    assert consume("test", behind, lambda entries: seen.extend(one.index for one in entries)) == 0
    assert (seen, newest_checkpoint_note(behind)) == ([], open_and_same(behind))
    begin(behind)
    assert consume("test", behind, lambda entries: seen.extend(one.index for one in entries)) == 6


def open_and_same(log: str) -> bytes:
    note = newest_checkpoint_note(log)
    assert note is not None
    assert known_keys_for(log).open_checkpoint(note).head.size == 5
    return note


def test_the_triggers_hold_against_the_app_role_itself(behind: str) -> None:
    halt_if_damaged(log=behind, now=NOW)
    log = get_log(behind).pk
    move = "UPDATE ledger_head SET size = size + 1 WHERE log_id = %s"
    told = "INSERT INTO ledger_entry VALUES (%s, 5, %s, NULL, NULL, NULL, now(), '{}', sha256('x'))"
    epoch = "INSERT INTO ledger_epoch VALUES (%s, 2, %s)"
    shadow = "CREATE TEMPORARY TABLE ledger_halt (log_id integer, epoch integer)"
    with connection.cursor() as cursor:
        attempts: dict[str, list[tuple[str, list[int | str]]]] = {
            "read-only until a new epoch": [(move, [log])],
            "An epoch begins with the entry that tells of it": [(epoch, [log, 5])],
            "begins with the entry": [(epoch, [log, 5]), (told, [log, "test-note"]), (move, [log])],
            "with the entry that": [(epoch, [log, 4])],
            "permission denied for table ledger_halt": [("DELETE FROM ledger_halt", [])],
            "permission denied for table ledger_epoch": [("UPDATE ledger_epoch SET number = 3", [])],
            "until a new epoch of it is begun": [(shadow, []), (move, [log])],
            "A log is halted once": [("INSERT INTO ledger_halt VALUES (%s, 3, 5, 'restored', NULL, now())", [log])],
        }
        for words, statements in attempts.items():
            with pytest.raises(DatabaseError, match=words), transaction.atomic():
                for statement, parameters in statements:
                    cursor.execute(statement, parameters)
        with transaction.atomic():
            cursor.execute(epoch, [log, 5])
            cursor.execute(told, [log, "ledger-epoch"])
            cursor.execute(move, [log])


def test_an_append_that_waited_while_the_log_was_halted_is_refused_by_the_trigger(behind: str) -> None:
    """The append read the head before the halt existed, so only the trigger can refuse it."""
    found: list[BaseException | None] = []

    def wait_and_append() -> None:
        try:
            harbour_log.play(1, first=5)
            found.append(None)
        except BaseException as error:
            found.append(error)
        finally:
            connection.close()

    with transaction.atomic():
        halt_if_damaged(log=behind, now=NOW)
        thread = threading.Thread(target=wait_and_append)
        thread.start()
        with harbour_log.admin() as admin:
            while not admin.execute("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'").fetchone():
                pass
    thread.join()
    assert isinstance(found[0], LogReadOnly)
    assert head_of(get_log(behind)).size == 5


def test_it_goes_on_under_a_new_name_and_no_name_and_size_has_two_roots(behind: str) -> None:
    lost, old = load_checkpoint_file(behind), verifier_key_for(behind)
    assert lost is not None
    before = open_checkpoint(lost, old).head
    halt_if_damaged(log=behind, now=NOW)
    note = begin(behind)
    assert origin_of(behind) == "ledger.example/epoch-2-20261117T093012Z/harbour"
    assert load_checkpoint_file(behind) == note == newest_checkpoint_note(behind)
    play(2, first=5)
    again = open_checkpoint(sign_log(behind, NOW), verifier_key_for(behind))
    assert (again.head.size, again.head.root != before.root) == (before.size, True)
    with pytest.raises(NoteError):
        open_checkpoint(sign_log(behind, NOW), old)
    verdict = verify_log(behind)
    assert [one.sentence for one in verdict.issues] == [
        "Entry 5 (kind ledger-epoch, recorded 2026-11-17 09:30:12 UTC): the row that was kept of it is gone."
    ], "Times and both names are known; the row is kept by those who let people speak."
    assert verdict.checked["checkpoints"] >= 4
    late = verify_log(behind, known_checkpoints=[("the checkpoint that I kept", lost)])
    assert late.issues[-1].sentence == (
        "Entries 5 to 7: lost, though covered by the checkpoint that I kept, signed before the epoch began that "
        "entry 5 tells of."
    )
    with pytest.raises(NoteError, match="retired before"):
        submit_outside_checkpoint(log=behind, note=lost, now=NOW)
    assert open_halt_of(behind) is None


def test_a_second_restore_to_before_the_epoch_takes_the_next_number_and_name(behind: str) -> None:
    halt_if_damaged(log=behind, now=NOW)
    begin(behind)
    with harbour_log.unguarded() as rogue:
        rogue.execute("DELETE FROM ledger_epoch")
        rogue.execute("DELETE FROM ledger_halt")
    lose(1)
    halt = halt_if_damaged(log=behind, now=NOW)
    assert halt is not None
    assert (halt.epoch, halt.reason) == (3, "shrank"), "The file beside the key remembers."
    begin(behind)
    assert origin_of(behind).startswith("ledger.example/epoch-3-")
    play(1, first=5)
    sign_log(behind, NOW)


def test_a_forged_epoch_in_the_database_signs_nothing(behind: str) -> None:
    """A database administrator cannot write the file next to the key."""
    log = get_log(behind).pk
    with harbour_log.unguarded() as rogue:
        rogue.execute("INSERT INTO ledger_halt VALUES (%s, 2, 5, 'shrank', NULL, now())", [log])
        rogue.execute("INSERT INTO ledger_epoch VALUES (%s, 2, 5)", [log])
    harbour_log.play(1, first=5)
    sign_every_log()
    halt = open_halt_of(behind)
    assert halt is not None
    assert halt.epoch == 3
    assert origin_of(behind) == "ledger.example/harbour"


def test_a_crash_before_the_name_is_written_halts_it_again(behind: str) -> None:
    halt_if_damaged(log=behind, now=NOW)
    with transaction.atomic():
        append_epoch_entry(prepare_epoch(behind, NOW), TOLD, NOW)
    assert (open_halt_of(behind), epoch_file_path(behind).exists()) == (None, False)
    sign_every_log()
    halt = open_halt_of(behind)
    assert (halt and halt.epoch, newest_checkpoint_note(behind)) == (3, open_and_same(behind))


def test_after_every_restore_it_is_read_only_even_if_nothing_is_missing(committed_log: str) -> None:
    play(3)
    sign_log(committed_log, NOW)
    halt = halt_restored_log(log=committed_log, note=None, keys=known_keys_for(committed_log), now=NOW)
    assert (halt.reason, halt.epoch) == ("restored", 2)
    with pytest.raises(LogReadOnly):
        harbour_log.play(1, first=3)
    begin(committed_log)
    play(1, first=3)
    with pytest.raises(LogNotHalted), transaction.atomic():
        prepare_epoch(committed_log, NOW)


def test_a_checkpoint_handed_in_halts_a_log_that_does_not_begin_with_it(committed_log: str) -> None:
    play(4)
    note = sign_log(committed_log, NOW)
    assert submit_outside_checkpoint(log=committed_log, note=note, now=NOW).head.size == 4
    assert open_halt_of(committed_log) is None
    forked = sign_checkpoint(TreeHead(3, bytes(32)), signing_key_for(committed_log))
    longer = sign_checkpoint(TreeHead(9, bytes(32)), signing_key_for(committed_log))
    strange = sign_checkpoint(TreeHead(9, bytes(32)), signing_key_for("marina"))
    with pytest.raises(NoteError):
        submit_outside_checkpoint(log=committed_log, note=strange, now=NOW)
    assert open_halt_of(committed_log) is None
    submit_outside_checkpoint(log=committed_log, note=forked, now=NOW)
    halt = open_halt_of(committed_log)
    assert (halt and halt.reason, load_checkpoint_file(committed_log)) == ("forked", note)
    submit_outside_checkpoint(log=committed_log, note=longer, now=NOW)
    assert load_checkpoint_file(committed_log) == longer, "Kept beside the key, it is the newest."
    save_checkpoint_file(committed_log, note)
    assert load_checkpoint_file(committed_log) == longer, "It never goes back."


def test_a_task_that_meets_a_read_only_log_waits_without_failing(behind: str, caplog: pytest.LogCaptureFixture) -> None:
    halt_if_damaged(log=behind, now=NOW)

    @app.task(name="test-records")
    def records() -> None:
        harbour_log.play(1, first=5)

    try:
        assert isinstance(records, ReadOnlyTolerantTask)
        records()
    finally:
        app.tasks.pop("test-records")
    assert not [line for line in caplog.records if line.levelname == "ERROR"]
