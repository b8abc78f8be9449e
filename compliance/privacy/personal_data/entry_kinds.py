"""Ledger entry kinds of this app, and the rows that project them."""

from compliance.privacy.personal_data.models import Destruction, DetailsAccess, RetentionHold, RetentionRule
from rounds.ledger import register_kind, register_rows

DETAILS_READ = "personal-looked"
HELD = "personal-held"
DESTROYED = "personal-destroyed"
RETENTION = "retention-set"


def register_kinds() -> None:
    register_kind(DETAILS_READ, "Somebody saw a patron's details: who, when, why.")
    register_kind(HELD, "A patron's details are kept longer, with reason and person.")
    register_kind(DESTROYED, "A patron's details were destroyed; their digest stays.")
    register_kind(RETENTION, "How long a casino keeps personal details on a subject.")
    register_rows(DETAILS_READ, DetailsAccess.rows_between)
    register_rows(HELD, RetentionHold.rows_between)
    register_rows(DESTROYED, Destruction.rows_between)
    register_rows(RETENTION, RetentionRule.rows_between)
