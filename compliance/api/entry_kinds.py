"""Entry kinds of API tokens, and the models whose rows record them."""

from compliance.api.models import TokenEnd, TokenGrant
from rounds.ledger import register_kind, register_rows

MADE = "api-token-made"
REVOKED = "api-token-revoked"


def register_kinds() -> None:
    register_kind(MADE, "Another system may read records of this casino: what, until when, by whose leave.")
    register_kind(REVOKED, "A token for another system was revoked, with the person and the reason.")
    register_rows(MADE, TokenGrant.rows_between)
    register_rows(REVOKED, TokenEnd.rows_between)
