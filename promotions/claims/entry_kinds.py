"""Entry kinds of claims."""

from collections.abc import Mapping
from typing import Any

from rounds.engine.money import format_cents
from rounds.ledger import EntryKind


def summarize_payment(body: Mapping[str, Any]) -> str:
    """ "Claim C-1: $100.00 cash, $50.00 crossed cheque", or what was handed over instead of money."""
    amounts = [f"{format_cents(cents)} {form.replace('-', ' ')}" for form, cents in body["paid"].items()]
    return f"Claim C-{body['claim']}: {', '.join(amounts) or body['form'].replace('-', ' ')}"


CLAIM = EntryKind(
    "promotion-claim",
    "Prize claimed",
    "Claim C-{claim}: {prize}",
    "claims.Claim",
    meaning="A prize was claimed; the claimant's details stand beside the ledger.",
)
DECIDED = EntryKind(
    "promotion-claim-decided",
    "Claim decided",
    "Claim C-{claim} {decision}: {reasons}",
    "claims.ClaimDecision",
    meaning="A claim was met or denied, with the reasons.",
)
TOLD = EntryKind(
    "promotion-denial-told",
    "Claimant told of a denial",
    "Claim C-{claim}, {method:words}",
    "claims.ReasonsTold",
    occurred_at="told_at",
    meaning="A claimant was told why the claim was denied.",
)
PAID = EntryKind(
    "promotion-prize-paid",
    "Prize paid",
    summarize_payment,
    "claims.Payment",
    meaning="A prize was handed over or paid, and how the winner had chosen.",
)
