"""The newest checkpoint of each log, kept as a file beside the key: outside the database, beyond its administrator."""

import os
import tempfile
from pathlib import Path

from django.conf import settings

from rounds.ledger.errors import LedgerError
from rounds.ledger.names import epoch_in
from rounds.ledger.notes import unverified_head
from rounds.ledger.origins import epoch_outside


def kept_file(log: str) -> Path:
    return Path(settings.LEDGER_KEY_FILE).parent / "checkpoints" / f"{log}.checkpoint"


def kept_note(log: str) -> bytes | None:
    """None before the first of an epoch is signed: what is kept of the one before no longer holds it to anything."""
    try:
        note = kept_file(log).read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _cannot_keep(log) from error
    origin = note.partition(b"\n")[0].decode(errors="replace")
    return None if epoch_in(origin) < epoch_outside(log) else note


def keep_note(log: str, note: bytes) -> None:
    """Replace the kept checkpoint in one step: a crash leaves the old one or the new one, never half of it.

    Within an epoch it never goes back to a smaller one. Whoever calls this has the log's turn to sign.
    """
    if _is_smaller(note, kept_note(log)):
        return
    try:
        write_in_one_step(kept_file(log), note)
    except OSError as error:
        raise _cannot_keep(log) from error


def _is_smaller(note: bytes, kept: bytes | None) -> bool:
    before, now = kept and unverified_head(kept), unverified_head(note)
    if not kept or not before or now is None or kept.partition(b"\n")[0] != note.partition(b"\n")[0]:
        return False
    return now.size < before.size


def write_in_one_step(path: Path, content: bytes) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.stem}.", delete=False) as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    Path(file.name).replace(path)


def _cannot_keep(log: str) -> LedgerError:
    return LedgerError("not-kept", f"The last checkpoint of {log} cannot be kept in {kept_file(log).parent}.")
