"""The entries that this app writes, and the rows that stand for them."""

from compliance.inspectorate.models import TokenEnd, TokenGrant
from rounds.ledger.kinds import register_kind
from rounds.ledger.recorded import register_record

MADE = "api-token-made"
REVOKED = "api-token-revoked"


def register_kinds() -> None:
    register_kind(MADE, "Another system may read records of this casino: what, until when, by whose leave.")
    register_kind(REVOKED, "A token for another system was revoked, with the person and the reason.")
    register_record(MADE, TokenGrant.recorded_between)
    register_record(REVOKED, TokenEnd.recorded_between)
