"""Under which name a log signs now. Its epoch stands in a file beside the kept checkpoint, outside the database:
whoever rewrites that cannot begin one."""

from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings

from rounds.ledger.errors import LedgerError
from rounds.ledger.names import EPOCH, epoch_in


def epoch_file(log: str) -> Path:
    return Path(settings.LEDGER_KEY_FILE).parent / "checkpoints" / f"{log}.epoch"


def epoch_name(number: int, now: datetime) -> str:
    """With its time: should even the file be lost, a number that is given again does not make the same name."""
    return f"epoch-{number}-{now.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def origin_of(log: str) -> str:
    epoch = _epoch_of(log)
    return origin_in(log, epoch) if epoch else f"{settings.SITE_NAME}/{log}"


def origin_in(log: str, epoch: str) -> str:
    return f"{settings.SITE_NAME}/{epoch}/{log}"


def epoch_outside(log: str) -> int:
    """The number of the epoch in which the log signs, as the file beside the key has it."""
    return epoch_in(_epoch_of(log))


def _epoch_of(log: str) -> str:
    path = epoch_file(log)
    try:
        epoch = path.read_text().strip()
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except (OSError, ValueError) as error:
        raise LedgerError("no-epoch", f"The epoch of {log} cannot be read from {path}.") from error
    if not EPOCH.fullmatch(epoch):
        raise LedgerError("no-epoch", f"The file {path} does not name an epoch.")
    return epoch
