"""Verification results are entries; a verification continues from the last one, and the daily one starts over."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.db import connection

from compliance.core.web.jobs.locks import Lock
from rounds.ledger import tasks
from rounds.ledger.models import SignedCheckpoint
from rounds.ledger.read_only import halts_by_log
from rounds.ledger.readers.consumer import read_entries
from rounds.ledger.storage import get_log, head_of, root_at
from rounds.ledger.verify.history import (
    RecordedVerification,
    last_verification,
    last_verified_checkpoint,
    next_verification_start,
    record_verification,
)
from rounds.ledger.verify.verify_log import EMPTY_TREE, VerificationResult, verify_log
from rounds.transparency_log.tree.merkle import TreeHead
from tests.conftest import unlock_all
from tests.rounds.ledger import harbour_log, superuser_attacks
from tests.rounds.ledger.verify.test_threats import verify

NOON = harbour_log.OPENED_AT.replace(hour=12, minute=0, second=0, microsecond=0)
DAY = timedelta(days=1)

pytestmark = pytest.mark.usefixtures("committed_log")


def size() -> int:
    return head_of(get_log("harbour")).size


def stop_after(entries: int) -> Any:
    """A time limit that is reached after so many reads of 100 entries."""
    left = iter([False] * (entries // 100 - 1) + [True])
    return lambda: next(left)


def verified(**options: Any) -> VerificationResult:
    verdict = verify_log("harbour", **options)
    record_verification(verdict=verdict, now=NOON)
    return verdict


class TestRecording:
    def test_the_entry_says_what_was_verified_and_found(self) -> None:
        harbour_log.play(3)
        harbour_log.sign()
        root = head_of(get_log("harbour")).root
        verified()
        [entry] = read_entries("harbour", 3, 4)
        assert (entry.kind, entry.recorded_at) == ("ledger-verified", NOON)
        assert entry.content() == {
            "log": "harbour",
            "from": 0,
            "size": 3,
            "root": root.hex(),
            "ok": True,
            "complete": True,
            "first_misfit": None,
            "misfits": 0,
            "checked": {"entries": 3, "tiles": 0, "checkpoints": 2, "corrections": 0, "records": 0, "projections": 0},
        }
        assert last_verification("harbour") == RecordedVerification("harbour", NOON, 3, root, True, True, None)

    def test_a_log_that_does_not_fit_takes_the_entry_that_says_so(self) -> None:
        harbour_log.play(3)
        with harbour_log.unguarded() as admin:
            admin.execute(f"UPDATE {harbour_log.partition()} SET body = '{{}}' WHERE index = 1")
        verdict = verified()
        last = last_verification("harbour")
        assert last is not None
        assert (last.is_whole, last.first_issue) == (False, verdict.first_issue)
        assert last.first_issue is not None
        assert last.first_issue.index == 1

    def test_a_log_too_damaged_to_take_an_entry_is_recorded_with_the_site(self) -> None:
        """Rows occupy the next index, so that nothing can be appended."""
        harbour_log.opened("site")
        harbour_log.play(3)
        with harbour_log.unguarded() as admin:
            admin.execute(
                "UPDATE ledger_head SET size = 0, frontier = '\\x0000000000000000' WHERE log_id = %s",
                [get_log("harbour").pk],
            )
        verified()
        [entry] = read_entries("site", 0, 9)
        assert (entry.content()["log"], entry.content()["ok"]) == ("harbour", False)
        last = last_verification("harbour")
        assert last is not None
        assert not last.is_whole
        assert last_verification("site") is None


class TestStretches:
    def test_a_verification_that_runs_out_of_time_goes_on_where_it_stopped(self) -> None:
        harbour_log.play(730)
        verdict = verified(is_time_up=stop_after(300))
        assert (verdict.start, verdict.size, verdict.is_complete) == (0, 300, False)
        due = next_verification_start("harbour", NOON)
        assert due is not None
        assert due[0] == TreeHead(300, root_at(get_log("harbour"), 300))
        verdict = verify_log("harbour", begin=due[0])
        assert (verdict.start, verdict.size, verdict.is_complete, verdict.is_intact) == (300, 731, True, True)
        assert verdict.checked["tiles"] == 1
        assert verdict.root == head_of(get_log("harbour")).root

    @pytest.mark.parametrize("begin", [1, 255, 256, 257, 511, 512, 599, 600])
    def test_it_can_go_on_from_any_size(self, begin: int) -> None:
        harbour_log.play(600)
        verdict = verify_log("harbour", begin=TreeHead(begin, root_at(get_log("harbour"), begin)))
        assert verdict.is_intact
        assert verdict.root == head_of(get_log("harbour")).root

    def test_what_an_earlier_stretch_found_still_counts_at_the_end(self) -> None:
        harbour_log.play(400)
        with harbour_log.unguarded() as admin:
            admin.execute(f"UPDATE {harbour_log.partition()} SET body = '{{}}' WHERE index = 7")
        verified(is_time_up=stop_after(200))
        begin, after = next_verification_start("harbour", NOON) or (EMPTY_TREE, None)
        verdict = verify_log("harbour", begin=begin)
        assert verdict.is_intact
        record_verification(verdict=verdict, now=NOON, after=after)
        last = last_verification("harbour")
        assert last is not None
        assert (last.is_complete, last.is_whole) == (True, False)
        assert last.first_issue is not None
        assert last.first_issue.index == 7

    def test_what_was_verified_must_still_be_there_when_it_goes_on(self) -> None:
        harbour_log.play(700)
        verified(is_time_up=stop_after(600))
        begin, _ = next_verification_start("harbour", NOON) or (EMPTY_TREE, None)
        with harbour_log.unguarded() as admin:
            admin.execute("UPDATE ledger_tile SET root = sha256('') WHERE index = 0")
        verdict = verify_log("harbour", begin=begin)
        assert verdict.first_issue is not None
        assert verdict.first_issue.sentence == "Entries 0 to 599: no longer those that were verified before."
        with harbour_log.unguarded() as admin:
            admin.execute("DELETE FROM ledger_tile")
        assert not verify_log("harbour", begin=begin).is_intact


class TestSinceLast:
    def test_only_what_came_after_the_last_verified_checkpoint_is_read(self) -> None:
        harbour_log.play(500)
        harbour_log.sign()
        harbour_log.play(20, first=500)
        assert verify("--record").words.startswith("harbour: whole. Verified entries 0 to 519")
        harbour_log.play(80, first=520)
        assert verify("--since-last") == (
            0,
            "harbour: whole. Verified entries 500 to 600 (entries 101, tiles 1, checkpoints 1).\n",
        )
        harbour_log.sign()
        assert verify("--since-last", "--record").words.startswith("harbour: whole. Verified entries 500 to 600")
        assert verify("--since-last").words.startswith("harbour: whole. Verified entries 601 to 601")

    def test_it_starts_at_the_beginning_where_nothing_was_verified_or_signed(self) -> None:
        harbour_log.play(5)
        assert last_verified_checkpoint("harbour") == (EMPTY_TREE, None)
        verified()
        assert last_verified_checkpoint("harbour") == (EMPTY_TREE, None)

    def test_a_verification_that_failed_is_nothing_to_start_from(self, tmp_path: Path) -> None:
        superuser_attacks.record_harbour(tmp_path)
        verified()
        harbour_log.play(10, first=1000)
        harbour_log.sign()
        superuser_attacks.edit_a_body()
        verified()
        assert last_verified_checkpoint("harbour")[0].size == 601

    @pytest.mark.parametrize("deed", ["forged", "a later one in its place"])
    def test_a_checkpoint_put_in_by_hand_is_nothing_to_start_from(self, deed: str, tmp_path: Path) -> None:
        superuser_attacks.record_harbour(tmp_path)
        verified()
        if deed == "forged":
            superuser_attacks.forge_a_checkpoint()
        else:
            harbour_log.play(10, first=1000)
            later = harbour_log.sign()
            with harbour_log.unguarded() as admin:
                admin.execute("UPDATE ledger_checkpoint SET note = %s WHERE size = 601", [later])
        assert last_verified_checkpoint("harbour") == (EMPTY_TREE, None)

    def test_a_tail_that_was_cut_is_found_even_so(self, tmp_path: Path) -> None:
        superuser_attacks.record_harbour(tmp_path)
        verified()
        superuser_attacks.cut_the_tail_and_set_the_head_back()
        status, words = verify("--since-last")
        assert status == 1
        assert "First: Entries 590 to 600: missing, though covered by the checkpoint of 601 entries" in words


class TestTasks:
    def test_every_log_is_signed_and_one_that_forked_does_not_stop_the_others(self, tmp_path: Path) -> None:
        harbour_log.opened("marina")
        harbour_log.play(2, "marina")
        superuser_attacks.record_harbour(tmp_path)
        superuser_attacks.rewrite_the_tree()
        tasks.sign_every_log()
        assert list(SignedCheckpoint.objects.filter(log__slug="marina").values_list("size", flat=True)) == [2]
        assert {log: halt.reason for log, halt in halts_by_log().items()} == {"harbour": "forked"}

    def test_every_log_is_verified_once_a_day(self) -> None:
        harbour_log.opened("marina")
        harbour_log.play(2)
        for moment, entries in ((NOON, 3), (NOON + DAY - timedelta(seconds=1), 3), (NOON + DAY, 4)):
            with time_machine.travel(moment, tick=False):
                tasks.verify_every_log()
            assert size() == entries
        assert [entry.content()["from"] for entry in read_entries("marina", 0, 9)] == [0, 0]

    def test_a_long_log_is_verified_in_stretches_and_the_rest_is_rung_for(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        harbour_log.play(350)
        rung: list[str] = []
        monkeypatch.setattr(tasks, "wake", rung.append)
        monkeypatch.setattr(tasks, "MAX_SECONDS", -1)
        for _ in range(6):
            tasks.verify_every_log()
        stretches = [entry.content() for entry in read_entries("harbour", 350, 999)]
        assert [(one["from"], one["size"]) for one in stretches] == [(0, 100), (100, 200), (200, 300), (300, 353)]
        assert [one["complete"] for one in stretches] == [False, False, False, True]
        assert all(one["ok"] for one in stretches)
        assert rung == [tasks.VERIFY_TASK] * 3

    def test_a_second_ring_leaves_the_first_at_its_work(self) -> None:
        harbour_log.play(2)
        with harbour_log.admin() as other:
            other.execute("SELECT pg_advisory_lock(%s, 0)", [Lock.VERIFICATION])
            tasks.verify_every_log()
            assert size() == 2
            unlock_all(other)
        tasks.verify_every_log()
        assert size() == 3
        with connection.cursor() as cursor:
            # Other test processes lock in their own databases.
            cursor.execute(
                "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' "
                "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
            )
            assert cursor.fetchone() == (0,)

    def test_a_log_with_a_hole_in_it_is_not_read_over_and_over(self, tmp_path: Path) -> None:
        superuser_attacks.record_harbour(tmp_path)
        superuser_attacks.delete_an_entry()
        with time_machine.travel(NOON, tick=False):
            tasks.verify_every_log()
            tasks.verify_every_log()
        [entry] = read_entries("harbour", 601, 999)
        assert entry.content()["ok"] is False
        assert entry.content()["root"] is None
