"""Ledger entry kind of this app, and the rows that project it."""

from compliance.privacy.access_log.models import Disclosure
from rounds.ledger import register_kind, register_rows

DISCLOSED = "disclosed"


def register_kinds() -> None:
    register_kind(DISCLOSED, "A list, a file or records went out to somebody: what, how many rows, to whom.")
    register_rows(DISCLOSED, Disclosure.rows_between)
