"""Whether a log is read-only (halted), since when and why, and the refusal that every writer gets.

A PostgreSQL trigger refuses to move the head of such a log (migration 0004); the checks here only notice it earlier.
"""

from collections.abc import Mapping
from typing import Any

from django.db import DatabaseError
from django.db.models import Exists, OuterRef, QuerySet

from compliance.core.web.errors import Refusal
from rounds.ledger.models import Epoch, Halt, Log

# SQLSTATE that the trigger raises.
READ_ONLY_SQLSTATE = "FT001"
# A person has to act first. A controller that retries every minute loses nothing.
RETRY_AFTER_SECONDS = 60


class LogReadOnly(Refusal):
    """HTTP refusal: the log accepts no entries until a person ends the halt."""

    code = "log-read-only"
    status = 503
    title = "Nothing can be recorded at the moment"
    detail = (
        "The service was restored from a backup, or misses records that were signed. It shows everything and records "
        "nothing until a person has said what was lost. Nothing you sent just now was saved."
    )
    remedy = "Keep what you typed and send it again later. A table controller keeps its lines and does so by itself."

    def __init__(self, log: str = "", **particulars: Any) -> None:
        super().__init__(**particulars)
        self.log = log
        self.headers.setdefault("Retry-After", str(RETRY_AFTER_SECONDS))


def open_halts() -> QuerySet[Halt]:
    ended = Epoch.objects.filter(log_id=OuterRef("log_id"), number=OuterRef("epoch"))
    return Halt.objects.filter(~Exists(ended))


def read_only_log_slugs() -> QuerySet[Halt, str]:
    """Slugs of the read-only logs, to skip them: jobs that do something and then record it must not start for these."""
    return open_halts().values_list("log__slug", flat=True)


def open_halt_of(log: str) -> Halt | None:
    """The halt that makes the log read-only; None if it is writable."""
    return open_halts().filter(log__slug=log).first()


def is_read_only(log: str) -> bool:
    return open_halts().filter(log__slug=log).exists()


def halts_by_log() -> Mapping[str, Halt]:
    """Every read-only log, with its halt."""
    return {halt.log.slug: halt for halt in open_halts().select_related("log").order_by("log__slug")}


def require_writable(log: Log) -> None:
    if open_halts().filter(log=log).exists():
        raise LogReadOnly(log.slug)


def is_read_only_error(error: DatabaseError) -> bool:
    """Whether the error was raised by the read-only trigger."""
    return getattr(error.__cause__, "sqlstate", None) == READ_ONLY_SQLSTATE
