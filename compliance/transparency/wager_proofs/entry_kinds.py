"""Entry kinds of committed wagers and of proofs for patrons."""

from rounds.ledger import EntryKind

WAGERS_COMMITTED = EntryKind(
    "wagers-committed",
    "Wagers committed",
    "Entries {first} to {last}: {rounds:number round rounds}",
    "proofs.Commitment",
    meaning="Each wager of a stretch of rounds can be proved by itself from here.",
)
PROOF_MADE = EntryKind(
    "wager-proof-made",
    "Proof for a patron made",
    "Round {round}, wager {wager}",
    "proofs.Proof",
    meaning="A proof of one wager was made for its patron: by whom, of which wager.",
)
PROOF_WITHDRAWN = EntryKind(
    "wager-proof-withdrawn",
    "Proof for a patron withdrawn",
    "Wager {wager}: {reason}",
    "proofs.Withdrawal",
    meaning="The code of a wager's proof opens nothing any more: by whom, why.",
)
