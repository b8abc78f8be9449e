"""Under which name a log signs now. Its epoch stands in a file beside the kept checkpoint, outside the database:
whoever rewrites that cannot begin one."""

from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings

from rounds.ledger.errors import LedgerError
from rounds.ledger.formats.origin_names import EPOCH_PATTERN, epoch_number_in


def epoch_file_path(log: str) -> Path:
    return Path(settings.LEDGER_KEY_FILE).parent / "checkpoints" / f"{log}.epoch"


def make_epoch_name(number: int, now: datetime) -> str:
    """With its time: should even the file be lost, a number that is given again does not make the same name."""
    return f"epoch-{number}-{now.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def origin_of(log: str) -> str:
    epoch = _read_epoch_file(log)
    return origin_in_epoch(log, epoch) if epoch else f"{settings.SITE_NAME}/{log}"


def origin_in_epoch(log: str, epoch: str) -> str:
    return f"{settings.SITE_NAME}/{epoch}/{log}"


def epoch_in_file(log: str) -> int:
    """The number of the epoch in which the log signs, as the file beside the key has it."""
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
