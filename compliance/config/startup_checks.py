"""Checks that every process makes before it accepts work."""

import gc

import structlog
from django.db import DatabaseError, OperationalError, connections
from django.urls import get_resolver
from django.utils import timezone

logger = structlog.get_logger(__name__)


def require_ledger_guards() -> None:
    """Raises if the app role could change the ledger. An unreachable database is only logged, because /readyz reports
    it."""
    from rounds.ledger import verify

    try:
        verify.check_guards()
    except OperationalError as error:
        logger.warning("guards_not_checked", error=str(error))


def compare_ledger_with_checkpoints() -> None:
    """Compares each log with checkpoints kept outside the database. A log that lost entries becomes read-only."""
    from rounds.ledger import maintenance

    try:
        maintenance.halt_damaged_logs(now=timezone.now())
    except DatabaseError as error:
        logger.warning("ledger_not_compared", error=str(error))


def import_all_urls() -> None:
    """Before the first request, and before the web server forks, so that the processes share the loaded code."""
    _ = get_resolver().url_patterns


def close_connections() -> None:
    """Before the fork: connections must not be shared between processes."""
    connections.close_all()


def freeze_garbage_collector() -> None:
    """Excludes everything loaded so far from garbage collection. Collecting it would stop all threads for a tenth of a
    second each time, and copy memory pages that the forked processes share."""
    gc.collect()
    gc.freeze()
