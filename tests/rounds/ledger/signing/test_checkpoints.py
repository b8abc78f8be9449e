"""Checkpoints have exactly the C2SP bytes, are signed once for each size, and never for a smaller or forked tree."""

import stat
from base64 import b64encode
from datetime import timedelta
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from django.db import connection, transaction

from rounds.ledger.models import SignedCheckpoint
from rounds.ledger.signing.checkpoint_file import checkpoint_file_path
from rounds.ledger.signing.checkpoints import (
    ForkedLog,
    create_key_file,
    newest_checkpoint_note,
    sign_log,
    signing_key_for,
    verifier_key_for,
)
from rounds.transparency_log.errors import LedgerError
from rounds.transparency_log.formats.signed_note import open_checkpoint
from rounds.transparency_log.tree.merkle import EMPTY_ROOT, TreeHead, root_of
from tests.rounds.ledger import harbour_log, superuser_attacks

LATER = harbour_log.OPENED_AT + timedelta(minutes=1)


def test_the_bytes_are_those_of_a_checkpoint_and_open_with_the_verifier_key(log: str) -> None:
    leaves = [receipt.leaf_sha256 for receipt in harbour_log.play(3)]
    note = sign_log(log, harbour_log.OPENED_AT)
    text, _, signature = note.decode().rpartition("\n\n")
    assert text == f"ledger.example/harbour\n3\n{b64encode(root_of(leaves)).decode()}"
    assert signature.startswith("\u2014 ledger.example/harbour ")
    assert open_checkpoint(note, verifier_key_for(log)).head == TreeHead(3, root_of(leaves))
    assert newest_checkpoint_note(log) == note


def test_an_empty_log_is_signed_too(log: str) -> None:
    assert newest_checkpoint_note(log) is None
    assert open_checkpoint(sign_log(log, LATER), verifier_key_for(log)).head == TreeHead(0, EMPTY_ROOT)


def test_signing_twice_gives_the_same_bytes_and_one_row(log: str) -> None:
    harbour_log.play(3)
    first = sign_log(log, harbour_log.OPENED_AT)
    assert sign_log(log, LATER) == first
    assert SignedCheckpoint.objects.get().signed_at == harbour_log.OPENED_AT
    harbour_log.play(1, first=3)
    assert sign_log(log, LATER) != first
    assert list(SignedCheckpoint.objects.order_by("size").values_list("size", flat=True)) == [3, 4]


def test_each_log_signs_under_its_own_name_so_that_none_passes_for_another(log: str) -> None:
    harbour_log.opened("marina")
    note = sign_log("marina", LATER)
    assert note.startswith(b"ledger.example/marina\n0\n")
    with pytest.raises(LedgerError, match="None of the known keys"):
        open_checkpoint(note, verifier_key_for(log))


def test_the_last_checkpoint_is_kept_outside_the_database_and_comes_back_if_lost(log: str) -> None:
    harbour_log.play(2)
    note = sign_log(log, LATER)
    assert checkpoint_file_path(log).read_bytes() == note
    assert stat.S_IMODE(checkpoint_file_path(log).parent.stat().st_mode) == 0o700
    checkpoint_file_path(log).unlink()
    assert sign_log(log, LATER) == checkpoint_file_path(log).read_bytes() == note
    assert [path.name for path in checkpoint_file_path(log).parent.iterdir()] == ["harbour.checkpoint"]


def test_a_checkpoint_that_cannot_be_kept_is_not_signed(log: str) -> None:
    checkpoint_file_path(log).parent.write_text("a file where the folder should be")
    with pytest.raises(LedgerError, match="cannot be kept"):
        sign_log(log, LATER)
    assert not SignedCheckpoint.objects.exists()


def test_what_is_not_committed_is_not_signed(log: str) -> None:
    with transaction.atomic(), pytest.raises(RuntimeError, match="durable"):
        harbour_log.play(1)
        sign_log(log, LATER)


@pytest.mark.usefixtures("committed_log")
class TestRefusals:
    def test_a_log_restored_from_an_older_backup(self) -> None:
        """Nothing in the database contradicts it, but the checkpoint file does."""
        harbour_log.play(3)
        sign_log(harbour_log.LOG, LATER)
        with harbour_log.unguarded() as admin:
            admin.execute("DELETE FROM ledger_checkpoint")
            admin.execute(f"DELETE FROM {harbour_log.partition()}")
            admin.execute("UPDATE ledger_head SET size = 0, frontier = '\\x0000000000000000'")
        harbour_log.play(2)
        with pytest.raises(ForkedLog, match="holds 2 entries; 3 were signed before"):
            sign_log(harbour_log.LOG, LATER)
        harbour_log.play(9, first=100)
        with pytest.raises(ForkedLog, match="The first 3 entries are no longer those that were signed"):
            sign_log(harbour_log.LOG, LATER)
        assert not SignedCheckpoint.objects.exists()

    def test_a_tree_rewritten_and_grown_since(self, tmp_path: Path) -> None:
        superuser_attacks.record_harbour(tmp_path)
        superuser_attacks.rewrite_the_tree()
        harbour_log.play(5, first=1000)
        with pytest.raises(ForkedLog, match="The first 601 entries are no longer those that were signed"):
            sign_log(harbour_log.LOG, LATER)

    def test_a_stored_checkpoint_whose_columns_say_what_it_does_not(self) -> None:
        """Only the signed text counts: a size in the column cannot make an old checkpoint pass for a new one."""
        harbour_log.play(3)
        sign_log(harbour_log.LOG, LATER)
        harbour_log.play(3, first=3)
        with harbour_log.unguarded() as admin:
            admin.execute("UPDATE ledger_checkpoint SET size = 6")
        with pytest.raises(ForkedLog, match="The checkpoint stored for 6 entries signs something else"):
            sign_log(harbour_log.LOG, LATER)

    def test_another_key_in_the_place_of_the_first(self, key_file: Path) -> None:
        harbour_log.play(3)
        sign_log(harbour_log.LOG, LATER)
        key_file.write_text("11" * 32)
        with pytest.raises(ForkedLog, match=r"not one that ledger\.example/harbour signed"):
            sign_log(harbour_log.LOG, LATER)

    def test_signers_take_turns(self) -> None:
        """Eight concurrent signers: one checkpoint, and all get its bytes."""
        harbour_log.play(20)
        notes: list[bytes] = []

        def sign() -> None:
            notes.append(sign_log(harbour_log.LOG, LATER))
            connection.close()

        threads = [Thread(target=sign) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        assert notes == [newest_checkpoint_note(harbour_log.LOG)] * 8
        assert SignedCheckpoint.objects.count() == 1


class TestKey:
    def test_it_is_made_once_and_readable_by_its_owner_alone(self, key_file: Path) -> None:
        assert stat.S_IMODE(key_file.stat().st_mode) == 0o600
        before = key_file.read_text()
        assert len(bytes.fromhex(before)) == 32
        create_key_file(key_file)
        assert key_file.read_text() == before

    @pytest.mark.parametrize(
        ("content", "says"),
        [(None, "There is no ledger key at"), ("not hex", "cannot be read"), ("00ff", "must hold 32 bytes in hex")],
    )
    def test_a_key_that_is_missing_or_no_key_is_told_plainly(
        self, content: str | None, says: str, tmp_path: Path, settings: Any
    ) -> None:
        settings.LEDGER_KEY_FILE = tmp_path / "other.key"
        if content is not None:
            settings.LEDGER_KEY_FILE.write_text(content)
        with pytest.raises(LedgerError, match=says) as refused:
            signing_key_for("harbour")
        assert refused.value.code == "no-key"
        assert str(tmp_path / "other.key") in refused.value.sentence
