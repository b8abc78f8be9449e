"""Copy of the newest checkpoint of each log, a file next to the key: out of reach of a database administrator."""

from pathlib import Path

from django.conf import settings

from compliance.core.web.files.atomic_write import write_atomically
from rounds.ledger.signing.origins import epoch_in_file
from rounds.transparency_log.errors import LedgerError
from rounds.transparency_log.formats.origin_names import epoch_number_in
from rounds.transparency_log.formats.signed_note import parse_unverified_head


def checkpoint_file_path(log: str) -> Path:
    return Path(settings.LEDGER_KEY_FILE).parent / "checkpoints" / f"{log}.checkpoint"


def load_checkpoint_file(log: str) -> bytes | None:
    """The saved checkpoint.

    None if there is none, or if it belongs to an earlier epoch, which no longer binds the log.
    """
    try:
        note = checkpoint_file_path(log).read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _cannot_save_error(log) from error
    origin = note.partition(b"\n")[0].decode(errors="replace")
    return None if epoch_number_in(origin) < epoch_in_file(log) else note


def save_checkpoint_file(log: str, note: bytes) -> None:
    """Atomic write: a crash leaves the old file or the new one, never a part.

    Within an epoch a smaller checkpoint never replaces a larger one. The caller holds the signing lock.
    """
    if _is_smaller(note, load_checkpoint_file(log)):
        return
    try:
        write_atomically(checkpoint_file_path(log), note)
    except OSError as error:
        raise _cannot_save_error(log) from error


def _is_smaller(note: bytes, saved: bytes | None) -> bool:
    before, now = saved and parse_unverified_head(saved), parse_unverified_head(note)
    if not saved or not before or now is None or saved.partition(b"\n")[0] != note.partition(b"\n")[0]:
        return False
    return now.size < before.size


def _cannot_save_error(log: str) -> LedgerError:
    return LedgerError(
        "not-kept", f"The last checkpoint of {log} cannot be kept in {checkpoint_file_path(log).parent}."
    )
