"""manage.py verify_ledger: its output, exit status, start, and memory use."""

import io
import json
import tracemalloc
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from rounds.ledger.signing.checkpoints import verifier_key_for
from rounds.ledger.storage import get_log, head_of
from rounds.ledger.verify.verify_log import verify_log
from rounds.transparency_log.tree.merkle import EMPTY_ROOT
from tests.rounds.ledger import harbour_log, superuser_attacks
from tests.rounds.ledger.verify.test_threats import verify

pytestmark = pytest.mark.usefixtures("committed_log")


def test_every_log_is_verified_and_one_bad_log_is_enough() -> None:
    harbour_log.opened("marina")
    harbour_log.play(3)
    harbour_log.play(2, "marina")
    assert verify() == (
        0,
        "harbour: whole. Verified entries 0 to 2 (entries 3).\nmarina: whole. Verified entries 0 to 1 (entries 2).\n",
    )
    with harbour_log.unguarded() as admin:
        admin.execute(f"UPDATE {harbour_log.partition('marina')} SET kind = 'test-note' WHERE index = 1")
    status, words = verify()
    assert status == 1
    assert words.startswith("harbour: whole.")
    assert "marina: DOES NOT FIT. Verified entries 0 to 1 (entries 2).\n  First: Entry 1 (kind test-note" in words
    assert verify("--log", "harbour").status == 0


def test_an_empty_log_is_whole() -> None:
    assert verify() == (0, "harbour: whole. Verified no entries (nothing new).\n")
    assert verify_log("harbour").root == EMPTY_ROOT


def test_the_same_for_machines() -> None:
    harbour_log.play(3)
    harbour_log.sign()
    with harbour_log.unguarded() as admin:
        admin.execute(f"UPDATE {harbour_log.partition()} SET body = '{{}}' WHERE index = 1")
    status, words = verify("--json")
    answer = json.loads(words)
    assert status == 1
    assert answer["ok"] is False
    [found] = answer["logs"]
    says = (
        "Entry 1 (kind test-round, table SB-7, recorded 2026-11-16 09:30:00 UTC): changed since; it no longer gives "
        "the hash that was recorded with it."
    )
    first = {"check": "entries", "first": 1, "last": 2, "says": says}
    assert found == {
        "log": "harbour",
        "ok": False,
        "from": 0,
        "size": 3,
        "root": head_of(get_log("harbour")).root.hex(),
        "checked": {"entries": 3, "tiles": 0, "checkpoints": 2, "corrections": 0, "records": 0, "projections": 0},
        "misfit_count": 1,
        "first_misfit": first,
        "misfits": [first],
    }


def test_many_misfits_are_counted_and_the_first_ones_shown() -> None:
    harbour_log.play(400)
    with harbour_log.unguarded() as admin:
        admin.execute(f"UPDATE {harbour_log.partition()} SET body = '{{}}' WHERE index >= 40")
    status, words = verify()
    assert status == 1
    assert words.count("\n") == 12
    assert "First: Entry 40 (" in words
    assert "Also: Entry 49 (" in words
    assert words.endswith("  And 350 more.\n")


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_shown_on_a_terminal_only() -> None:
    harbour_log.play(250)
    screen, pipe = Screen(), io.StringIO()
    call_command("verify_ledger", stdout=io.StringIO(), stderr=screen)
    call_command("verify_ledger", stdout=io.StringIO(), stderr=pipe)
    assert "\rharbour [############..................] 100 of 250 entries" in screen.getvalue()
    assert screen.getvalue().endswith("[##############################] 250 of 250 entries\n")
    assert pipe.getvalue() == ""


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--log", "atlantis"], "There is no log 'atlantis'"),
        (["--seen", "here"], "--seen and --key are about one log"),
        (["--log", "harbour", "--seen", "/nowhere/at-all"], "No such file"),
        (["--log", "harbour", "--key", "nonsense"], "verifier key"),
    ],
)
def test_what_cannot_be_verified_is_neither_whole_nor_tampered(options: list[str], says: str) -> None:
    with pytest.raises(CommandError, match=says) as refused:
        call_command("verify_ledger", *options)
    assert refused.value.returncode == 2


def test_without_the_signing_key_the_verifier_key_is_enough(key_file: Path, settings: Any) -> None:
    harbour_log.play(3)
    harbour_log.sign()
    public = str(verifier_key_for("harbour"))
    settings.LEDGER_KEY_FILE = key_file.parent / "not-here"
    with pytest.raises(CommandError, match="There is no ledger key") as refused:
        call_command("verify_ledger")
    assert refused.value.returncode == 2
    assert verify("--log", "harbour", "--key", public).status == 0


def test_a_checkpoint_of_another_log_is_not_taken_for_one_of_this(tmp_path: Path) -> None:
    harbour_log.opened("marina")
    (tmp_path / "theirs").write_bytes(harbour_log.sign("marina"))
    status, words = verify("--log", "harbour", "--seen", str(tmp_path / "theirs"))
    assert status == 1
    assert "First: Replaced: the checkpoint in theirs is not one that the log's key signed." in words


def test_a_head_that_makes_no_sense_is_told_in_words() -> None:
    harbour_log.play(3)
    with harbour_log.unguarded() as admin:
        admin.execute("UPDATE ledger_head SET frontier = '\\x00'")
    status, words = verify()
    assert status == 1
    assert "First: The log's head cannot be read: something else was put in its place." in words


def test_tiles_that_are_missing_or_too_many() -> None:
    harbour_log.play(600)
    with harbour_log.unguarded() as admin:
        admin.execute("DELETE FROM ledger_tile WHERE index = 0")
    assert "First: Entries 0 to 255: the part of the stored tree that covers them is missing." in verify().words
    with harbour_log.unguarded() as admin:
        admin.execute("INSERT INTO ledger_tile SELECT log_id, level, 0, hashes, root FROM ledger_tile")
        admin.execute("INSERT INTO ledger_tile SELECT log_id, level, 2, hashes, root FROM ledger_tile WHERE index = 1")
    words = verify().words
    assert "First: Entry 0: not what was recorded at this place; the stored tree differs." in words
    assert "Also: The stored tree covers more than the 600 entries that were found." in words


def test_a_reversal_that_no_correction_made(tmp_path: Path) -> None:
    superuser_attacks.record_harbour(tmp_path)
    with harbour_log.unguarded() as admin:
        admin.execute("INSERT INTO ledger_reversal SELECT log_id, 18, 600 FROM ledger_reversal")
    assert "First: Entry 600 (kind correction" in verify().words
    with harbour_log.unguarded() as admin:
        admin.execute("UPDATE ledger_reversal SET correction_index = 599 WHERE corrected_index = 18")
    assert "First: The list of entries taken back names one too many." in verify().words


def test_entries_that_are_appended_meanwhile_are_left_for_the_next_time() -> None:
    """One snapshot: head, entries, tiles and checkpoints are compared as of the same instant."""
    harbour_log.play(250)

    def append_elsewhere(done: int, total: int) -> None:
        def go() -> None:
            harbour_log.play(10, first=1000 + done)
            harbour_log.sign()
            connection.close()

        other = Thread(target=go)
        other.start()
        other.join(30)

    verdict = verify_log("harbour", show_progress=append_elsewhere)
    assert (verdict.issues, verdict.size, verdict.is_complete) == ((), 250, True)
    assert verify_log("harbour").size == 280


def test_memory_does_not_grow_with_the_log() -> None:
    """80 MB of bodies; only one read of 100 entries and a few tiles are in memory at any time."""
    body = b'{"film":"' + b"x" * 100_000 + b'"}'
    for start in range(0, 800, 100):
        harbour_log.record_all([harbour_log.a_round(number, body) for number in range(start, start + 100)])
    tracemalloc.start()
    assert verify_log("harbour").is_intact
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 25_000_000
