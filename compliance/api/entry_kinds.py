"""Entry kinds of API tokens."""

from rounds.ledger import EntryKind

MADE = EntryKind(
    "api-token-made",
    "API token created",
    "{name}: {scopes:list}",
    "inspectorate.TokenGrant",
    meaning="Another system may read records of this casino: what, until when, by whose leave.",
)
REVOKED = EntryKind(
    "api-token-revoked",
    "API token revoked",
    "Token {token}: {reason}",
    "inspectorate.TokenEnd",
    meaning="A token for another system was revoked, with the person and the reason.",
)
