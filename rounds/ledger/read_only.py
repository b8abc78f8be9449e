"""That a log is read-only: since when, why, and the refusal that everybody gets who wants something recorded in it.

PostgreSQL itself refuses to move the head of such a log (migration 0004); what is here finds it out sooner.
"""

from collections.abc import Mapping
from typing import Any

from django.db import DatabaseError
from django.db.models import Exists, OuterRef, QuerySet

from compliance.core.web.errors import Refusal
from rounds.ledger.models import Epoch, Halt, Log

# As the trigger raises it.
READ_ONLY_SQLSTATE = "FT001"
# A person has to act first; a controller that asks every minute loses nothing.
RETRY_AFTER_SECONDS = 60


class LogReadOnly(Refusal):
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
    """Their slugs, to leave them out: whoever does something first and records it then must not begin for these."""
    return open_halts().values_list("log__slug", flat=True)


def open_halt_of(log: str) -> Halt | None:
    """What keeps the log from being written to; None while it can be."""
    return open_halts().filter(log__slug=log).first()


def is_read_only(log: str) -> bool:
    return open_halts().filter(log__slug=log).exists()


def halts_by_log() -> Mapping[str, Halt]:
    """Every log that is read-only."""
    return {halt.log.slug: halt for halt in open_halts().select_related("log").order_by("log__slug")}


def require_writable(log: Log) -> None:
    if open_halts().filter(log=log).exists():
        raise LogReadOnly(log.slug)


def is_read_only_error(error: DatabaseError) -> bool:
    """Whether it is the trigger's own refusal."""
    return getattr(error.__cause__, "sqlstate", None) == READ_ONLY_SQLSTATE
