"""What every process of the service makes sure of before it takes work."""

import gc

import structlog
from django.db import DatabaseError, OperationalError, connections
from django.urls import get_resolver
from django.utils import timezone

logger = structlog.get_logger(__name__)


def require_ledger_guards() -> None:
    """Raises if anything could change the ledger. A database that is away is no reason to stay away: /readyz tells."""
    from rounds.ledger import verify

    try:
        verify.check_guards()
    except OperationalError as error:
        logger.warning("guards_not_checked", error=str(error))


def compare_ledger_with_checkpoints() -> None:
    """With what is known of it outside the database. A log that lost entries is read-only from here on."""
    from rounds.ledger import maintenance

    try:
        maintenance.halt_damaged_logs(now=timezone.now())
    except DatabaseError as error:
        logger.warning("ledger_not_compared", error=str(error))


def import_all_urls() -> None:
    """Before the first visitor asks for one, and before the web server divides into processes that share it."""
    _ = get_resolver().url_patterns


def close_connections() -> None:
    """A process that divides must not share its connections with what it becomes."""
    connections.close_all()


def freeze_garbage_collector() -> None:
    """What is loaded by now stays for as long as the process: it is not looked through again for what can be let go.

    That would stop every thread for a tenth of a second each time, and make each process a copy of its own.
    """
    gc.collect()
    gc.freeze()
