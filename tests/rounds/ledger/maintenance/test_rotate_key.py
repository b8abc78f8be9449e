"""Key rotation: what the old key signed before still verifies, what it signs afterwards does not."""

import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from rounds.ledger.export.export_entries import export_range
from rounds.ledger.maintenance.rotate_key import rotate_key
from rounds.ledger.models import SignedCheckpoint
from rounds.ledger.signing.checkpoint_file import save_checkpoint_file
from rounds.ledger.signing.checkpoints import newest_checkpoint_note, sign_log, signing_key_for, verifier_key_for
from rounds.ledger.signing.retired_keys import retired_keys_path
from rounds.ledger.storage import get_log, head_of
from rounds.ledger.verify.verify_log import verify_log
from rounds.transparency_log.formats.signed_note import open_checkpoint, sign_checkpoint
from tests.rounds.ledger import harbour_log

NOW = harbour_log.OPENED_AT


def test_the_old_key_hands_over_and_everything_verifies(committed_log: str, key_file: Path, tmp_path: Path) -> None:
    harbour_log.opened("site")
    harbour_log.play(5)
    before, old = sign_log(committed_log, NOW), verifier_key_for(committed_log)
    seed = key_file.read_text()
    rotate_key(reason="A disk with the key on it left the house.", now=NOW)
    new, handover = verifier_key_for(committed_log), newest_checkpoint_note(committed_log)
    assert handover is not None
    assert new != old
    assert key_file.read_text() != seed
    assert stat.S_IMODE(key_file.stat().st_mode) == 0o600
    assert open_checkpoint(handover, old) == open_checkpoint(handover, new)
    assert open_checkpoint(handover, new).head.size == 6

    harbour_log.play(3, first=5)
    later = sign_log(committed_log, NOW)
    assert open_checkpoint(later, new).head.size == 9
    verdict = verify_log(committed_log, known_checkpoints=[("what an inspector kept", before)])
    assert verdict.is_intact, verdict.issues
    assert verdict.checked["checkpoints"] == 5
    assert verify_log("site").is_intact
    export_range(folder=tmp_path / "bundle", log=committed_log, casino="harbour", first=0, last=9, now=NOW)
    subprocess.run([sys.executable, tmp_path / "bundle" / "verify_bundle.py", tmp_path / "bundle"], check=True)


def test_what_a_stolen_old_key_signs_afterwards_is_not_believed(committed_log: str, key_file: Path) -> None:
    harbour_log.play(5)
    stolen = signing_key_for(committed_log)
    rotate_key(reason="It was stolen.", now=NOW)
    harbour_log.play(2, first=5)
    stored = get_log(committed_log)
    head = head_of(stored)
    forged = sign_checkpoint(head, stolen)
    verdict = verify_log(committed_log, known_checkpoints=[("what a stranger shows", forged)])
    assert [one.sentence for one in verdict.issues] == [
        "Replaced: what a stranger shows is not one that the log's key signed."
    ]
    SignedCheckpoint.objects.create(log=stored, size=head.size, root=head.root, note=forged, signed_at=NOW)
    assert not verify_log(committed_log).is_intact


@pytest.mark.parametrize("step", ["add_retired_keys", "write_atomically"])
def test_whatever_interrupts_it_leaves_a_log_that_signs_and_verifies(
    committed_log: str, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    harbour_log.play(3)
    old = verifier_key_for(committed_log)

    def crash(*args: Any) -> None:
        raise OSError("No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(f"rounds.ledger.maintenance.rotate_key.{step}", crash)
        with pytest.raises(OSError, match="No space"):
            rotate_key(reason="By habit.", now=NOW)
    assert verifier_key_for(committed_log) == old
    harbour_log.play(2, first=3)
    sign_log(committed_log, NOW)
    assert verify_log(committed_log).is_intact
    rotate_key(reason="By habit, again.", now=NOW)
    assert verifier_key_for(committed_log) != old
    assert verify_log(committed_log).is_intact


def test_a_log_that_shrank_is_not_handed_over(committed_log: str) -> None:
    """A rotation must not hide a fork."""
    harbour_log.play(3)
    longer = sign_checkpoint(head_of(get_log(committed_log))._replace(size=9), signing_key_for(committed_log))
    save_checkpoint_file(committed_log, longer)
    with pytest.raises(CommandError, match="3 entries; 9 were signed before"):
        call_command("rotate_ledger_key", reason="By habit.")
    assert not retired_keys_path().exists()


def test_it_wants_a_reason(committed_log: str) -> None:
    with pytest.raises(CommandError, match="Say why the key is changed"):
        call_command("rotate_ledger_key", reason=" ")
