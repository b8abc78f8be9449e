"""Entry kinds of this app, and the rows and projections that `verify_ledger` compares with them."""

from rounds.ledger import register_kind, register_projection, register_rows

WAGERS_COMMITTED = register_kind(
    "wagers-committed", "Each wager of a stretch of rounds can be proved by itself from here."
).name
PROOF_MADE = register_kind(
    "wager-proof-made", "A proof of one wager was made for its patron: by whom, of which wager."
).name
PROOF_WITHDRAWN = register_kind(
    "wager-proof-withdrawn", "The code of a wager's proof opens nothing any more: by whom, why."
).name
ROUND = "round"


def register_proof_kinds() -> None:
    from compliance.transparency.wager_proofs.models import Commitment, Proof, Withdrawal
    from compliance.transparency.wager_proofs.verify import verify_rows
    from rounds.intake.entry_kinds import register_kinds

    # The kinds of rounds belong to intake, whose ready() runs after this app's.
    register_kinds()
    register_rows(WAGERS_COMMITTED, Commitment.rows_between)
    register_rows(PROOF_MADE, Proof.rows_between)
    register_rows(PROOF_WITHDRAWN, Withdrawal.rows_between)
    register_projection("committed wagers", {ROUND, WAGERS_COMMITTED}, verify_rows)
