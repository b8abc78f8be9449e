"""Entry kinds of claims."""

from rounds.ledger import EntryKind

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
    "Claim C-{claim}: {paid}",
    "claims.Payment",
    meaning="A prize was handed over or paid, and how the winner had chosen.",
)
