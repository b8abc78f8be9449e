"""A verification in several processes finds exactly what one process finds, and a lost process is reported."""

import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing import active_children
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from rounds.ledger import registry
from rounds.ledger.registry import register_projection
from rounds.ledger.storage import get_log
from rounds.ledger.verify import entry_ranges
from rounds.ledger.verify.entry_ranges import check_range
from rounds.ledger.verify.process_pool import ProcessLost, VerifierPool
from rounds.ledger.verify.verify_log import VerificationResult, verify_log
from tests.rounds.ledger import harbour_log, superuser_attacks
from tests.rounds.ledger.verify.test_threats import put_right, verify

__all__ = ["put_right"]

pytestmark = pytest.mark.usefixtures("transactional_db", "key_file", "short_stretches")


@pytest.fixture
def short_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Harbour's 601 entries are three ranges: up to 255, up to 511, and the rest."""
    monkeypatch.setattr(entry_ranges, "RANGE_ENTRIES", 256)


def compare_with_one_process(*options: str) -> str:
    """The command's output, which must not depend on the number of processes:
    as text with 1 and 2, as JSON with 1 and 3.
    """
    alone = verify("--processes", "1", *options)
    assert verify("--processes", "2", *options) == alone
    assert verify("--processes", "3", "--json", *options) == verify("--processes", "1", "--json", *options)
    return alone.words


def test_a_whole_log(tmp_path: Path) -> None:
    taken_home = superuser_attacks.recorded_harbour(tmp_path)
    assert compare_with_one_process("--log", "harbour", "--seen", str(taken_home)) == (
        "harbour: whole. Verified entries 0 to 600 "
        "(entries 601, tiles 2, checkpoints 6, corrections 1, projections 1).\n"
    )


@pytest.mark.parametrize("slug", [slug for slug in superuser_attacks.DEEDS if slug != "replica-role"])
def test_every_deed_of_the_rogue_administrator(slug: str, tmp_path: Path) -> None:
    taken_home = superuser_attacks.recorded_harbour(tmp_path)
    superuser_attacks.DEEDS[slug]()
    options = ("--log", "harbour", "--seen", str(taken_home), "--json")
    assert verify("--processes", "3", *options) == verify("--processes", "1", *options)


def bodies_edited(*indexes: int) -> str:
    return f"UPDATE {harbour_log.partition()} SET body = '{{}}' WHERE index IN ({', '.join(map(str, indexes))})"


TAMPERINGS: dict[str, tuple[Callable[[], str], str]] = {
    "in the second stretch": (lambda: bodies_edited(400), "First: Entry 400 (kind test-round"),
    "in each stretch": (lambda: bodies_edited(10, 300, 590), "First: Entry 10 (kind test-round"),
    "the first and last of each": (lambda: bodies_edited(0, 255, 256, 511, 512, 600), "First: Entry 0 (kind"),
    "everywhere": (lambda: bodies_edited(*range(601)), "And 592 more."),
    "missing over the end of a stretch": (
        lambda: f"DELETE FROM {harbour_log.partition()} WHERE index BETWEEN 250 AND 260",
        "First: Entries 250 to 260: missing.\n",
    ),
    "a whole stretch missing": (
        lambda: f"DELETE FROM {harbour_log.partition()} WHERE index BETWEEN 256 AND 511",
        "First: Entries 256 to 511: missing.\n",
    ),
    "missing, and changed after it": (
        lambda: f"DELETE FROM {harbour_log.partition()} WHERE index = 20; {bodies_edited(580)}",
        "First: Entry 20: missing.\n  Also: Entry 580 (kind",
    ),
    "entries far beyond the head": (
        lambda: f"UPDATE {harbour_log.partition()} SET index = 4611686018427387904 WHERE index = 599",
        "First: Entry 599: missing.\n",
    ),
    "a head that claims less": (
        lambda: "UPDATE ledger_head SET size = 5",
        "First: Entries 5 to 600: not recorded by the service",
    ),
    "a head that claims more than can be": (
        lambda: "UPDATE ledger_head SET size = 9223372036854775807",
        "First: Entries 601 to",
    ),
    "both tiles": (
        lambda: "UPDATE ledger_tile SET hashes = set_byte(hashes, 32, 255 - get_byte(hashes, 32))",
        "First: Entry 1: not what was recorded at this place; the stored tree differs.\n  Also: Entry 257: ",
    ),
}


@pytest.mark.parametrize("which", TAMPERINGS)
def test_what_was_tampered_with_is_named_alike(which: str, tmp_path: Path) -> None:
    superuser_attacks.recorded_harbour(tmp_path)
    statement, first = TAMPERINGS[which]
    with harbour_log.unguarded() as admin:
        admin.execute(statement())
    assert first in compare_with_one_process()


@dataclass
class Totals:
    """A projection: the sum of the dice of each round; entries in `wrong` differ, those in `unreadable` raise."""

    wrong: frozenset[int]
    unreadable: frozenset[int] = frozenset()

    def differences(self, log: str, first: int, last: int, entries: Any) -> Iterator[tuple[int, str]]:
        if any(first <= index < last for index in self.unreadable):
            raise ValueError("tampered with")
        assert all(first <= entry.index < last for entry in entries)
        for index in sorted(self.wrong):
            if first <= index < last:
                yield index, f"{len([entry for entry in entries if entry.index == index])} entries are of that kind."


@pytest.fixture
def no_projections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_ROWS", {})
    monkeypatch.setattr(registry, "_PROJECTIONS", {})


@pytest.mark.usefixtures("no_projections")
def test_projections_are_asked_about_every_entry_once(tmp_path: Path) -> None:
    superuser_attacks.recorded_harbour(tmp_path)
    everywhere = frozenset({0, 255, 256, 300, 511, 512, 599, 600})
    register_projection("of rounds", ["test-round"], Totals(everywhere, frozenset({77, 513})).differences)
    register_projection("of corrections", ["correction"], Totals(everywhere).differences)
    register_projection("of nothing", ["test-note"], Totals(everywhere, frozenset({258})).differences)
    words = compare_with_one_process()
    assert "Entry 0: of corrections: 0 entries are of that kind." in words
    assert "Entry 0: of rounds: 1 entries are of that kind." in words
    sentences = [misfit.sentence for misfit in verify_log("harbour", processes=3).issues]
    assert "Entry 600: of corrections: 1 entries are of that kind." in sentences
    assert "Entry 258: what was kept of it can no longer be read." in sentences
    assert len(sentences) == len(set(sentences)) == 3 * len(everywhere) + 3


@pytest.mark.usefixtures("committed_log")
def test_they_see_one_snapshot_though_others_append() -> None:
    harbour_log.play(600)
    shown: list[int] = []

    def append_elsewhere() -> None:
        harbour_log.play(10, first=1000)
        connection.close()

    def appended_meanwhile() -> Iterator[tuple[str, bytes]]:
        """Iterated when the snapshot exists and no process has started."""
        other = Thread(target=append_elsewhere)
        other.start()
        other.join(30)
        yield from ()

    verdict = verify_log(
        "harbour",
        known_checkpoints=appended_meanwhile(),
        show_progress=lambda done, total: shown.append(done),
        processes=2,
    )
    assert (verdict.issues, verdict.size, verdict.is_complete) == ((), 600, True)
    assert shown[-1] == 600
    assert verify_log("harbour", processes=2).size == 610


@pytest.mark.usefixtures("committed_log")
def test_it_goes_on_from_the_middle_of_a_stretch() -> None:
    harbour_log.play(300)
    begin = verify_log("harbour")
    harbour_log.play(700, first=300)
    with harbour_log.unguarded() as admin:
        admin.execute(bodies_edited(400, 900))
    assert begin.root is not None
    verdicts = [verify_log("harbour", begin=_head_of(begin), processes=processes) for processes in (1, 3)]
    assert verdicts[0] == verdicts[1]
    assert (verdicts[0].start, verdicts[0].size) == (300, 1000)
    assert [misfit.span for misfit in verdicts[0].issues] == [(400, 401), (900, 901)]


def _head_of(verdict: VerificationResult) -> Any:
    from rounds.transparency_log.tree.merkle import TreeHead

    assert verdict.root is not None
    return TreeHead(verdict.size, verdict.root)


@pytest.mark.usefixtures("committed_log")
def test_in_a_transaction_one_process_does_it_all() -> None:
    """Other connections do not see what the transaction wrote."""
    from django.db import transaction

    with transaction.atomic():
        harbour_log.play(600)
        assert verify_log("harbour", processes=2).checked["entries"] == 600


@pytest.mark.usefixtures("committed_log")
class TestLost:
    def test_a_process_that_is_killed_is_told(self, monkeypatch: pytest.MonkeyPatch) -> None:
        harbour_log.play(600)
        begun_in = os.getpid()

        def die(*arguments: Any) -> Any:
            if os.getpid() != begun_in and arguments[1].first == 256:
                os.kill(os.getpid(), signal.SIGKILL)
            return check_range(*arguments)

        monkeypatch.setattr("rounds.ledger.verify.process_pool.check_range", die)
        with pytest.raises(CommandError, match="ended before its time") as refused:
            call_command("verify_ledger", "--processes", "2")
        assert refused.value.returncode == 2
        assert active_children() == []

    def test_what_fails_in_a_process_fails_here(self, monkeypatch: pytest.MonkeyPatch) -> None:
        harbour_log.play(600)

        def fail(*arguments: Any) -> Any:
            raise ProcessLost("no-luck", "It went wrong in there.")

        monkeypatch.setattr("rounds.ledger.verify.process_pool.check_range", fail)
        with pytest.raises(ProcessLost, match=r"It went wrong in there\."):
            verify_log("harbour", processes=2)
        assert active_children() == []

    def test_they_end_when_whoever_began_them_is_gone(self) -> None:
        harbour_log.play(600)
        from rounds.ledger.verify.entry_ranges import repeatable_read_snapshot

        with repeatable_read_snapshot():
            team = VerifierPool(get_log("harbour"), 2)
            for pipe in team._pipes:
                pipe.close()
            for process in team._processes:
                process.join(30)
                assert process.exitcode == 0

    def test_an_interrupt_ends_it_cleanly(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """As at a terminal: every process gets the signal, and the parent handles it."""
        harbour_log.play(600)

        def interrupt(*arguments: Any) -> Any:
            os.kill(os.getppid(), signal.SIGINT)
            signal.pause()

        monkeypatch.setattr("rounds.ledger.verify.process_pool.check_range", interrupt)
        # SIGINT is ignored in a run that a shell started in the background.
        usual = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            with pytest.raises(CommandError, match="Stopped before the end") as refused:
                call_command("verify_ledger", "--processes", "2")
        finally:
            signal.signal(signal.SIGINT, usual)
        assert refused.value.returncode == 2
        assert active_children() == []
