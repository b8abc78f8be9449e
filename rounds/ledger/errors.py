"""Errors of the ledger: BundleError, and EntryError, which readers and writers of entries handle."""

from rounds.transparency_log.errors import EntryError as EntryError
from rounds.transparency_log.errors import LedgerError


class BundleError(LedgerError):
    """The requested evidence bundle cannot be written."""
