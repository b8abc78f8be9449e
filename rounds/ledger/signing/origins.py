"""The name (origin) under which a log signs now.

Its epoch is in a file next to the saved checkpoint, so that a database administrator cannot begin an epoch.
"""

from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings

from rounds.transparency_log.errors import LedgerError
from rounds.transparency_log.formats.origin_names import EPOCH_PATTERN, epoch_number_in


def epoch_file_path(log: str) -> Path:
    return Path(settings.LEDGER_KEY_FILE).parent / "checkpoints" / f"{log}.epoch"


def make_epoch_name(number: int, now: datetime) -> str:
    """The name of an epoch.

    It contains the time, so that a number used twice, after losing even the file, gives two names.
    """
    return f"epoch-{number}-{now.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def origin_of(log: str) -> str:
    epoch = _read_epoch_file(log)
    return origin_in_epoch(log, epoch) if epoch else f"{settings.SITE_NAME}/{log}"


def origin_in_epoch(log: str, epoch: str) -> str:
    return f"{settings.SITE_NAME}/{epoch}/{log}"


def epoch_in_file(log: str) -> int:
    """The number of the epoch in which the log signs, from the file next to the key."""
    return epoch_number_in(_read_epoch_file(log))


def _read_epoch_file(log: str) -> str:
    path = epoch_file_path(log)
    try:
        epoch = path.read_text().strip()
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except (OSError, ValueError) as error:
        raise LedgerError("no-epoch", f"The epoch of {log} cannot be read from {path}.") from error
    if not EPOCH_PATTERN.fullmatch(epoch):
        raise LedgerError("no-epoch", f"The file {path} does not name an epoch.")
    return epoch
