"""The newest checkpoint of each log, kept as a file beside the key: outside the database, beyond its administrator."""

import os
import tempfile
from pathlib import Path

from django.conf import settings

from rounds.ledger.errors import LedgerError


def kept_file(log: str) -> Path:
    return Path(settings.LEDGER_KEY_FILE).parent / "checkpoints" / f"{log}.checkpoint"


def kept_note(log: str) -> bytes | None:
    try:
        return kept_file(log).read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _cannot_keep(log) from error


def keep_note(log: str, note: bytes) -> None:
    """Replace the kept checkpoint in one step: a crash leaves the old one or the new one, never half of it."""
    path = kept_file(log)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{log}.", delete=False) as file:
            file.write(note)
            file.flush()
            os.fsync(file.fileno())
        Path(file.name).replace(path)
    except OSError as error:
        raise _cannot_keep(log) from error


def _cannot_keep(log: str) -> LedgerError:
    return LedgerError("not-kept", f"The last checkpoint of {log} cannot be kept in {kept_file(log).parent}.")
