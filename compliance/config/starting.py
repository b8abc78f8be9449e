"""What every process of the service makes sure of before it takes work."""

import structlog
from django.db import OperationalError

logger = structlog.get_logger(__name__)


def refuse_unguarded_ledger() -> None:
    """Raises if anything could change the ledger. A database that is away is no reason to stay away: /readyz tells."""
    from rounds.ledger.guards import check_guards

    try:
        check_guards()
    except OperationalError as error:
        logger.warning("guards_not_checked", error=str(error))
