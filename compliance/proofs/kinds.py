"""The entries that this app writes, and the rows that stand for them."""

from rounds.ledger.kinds import register_kind
from rounds.ledger.recorded import register_projection, register_record

COMMITTED = register_kind(
    "wagers-committed", "Each wager of a stretch of rounds can be proved by itself from here."
).name
MADE = register_kind("wager-proof-made", "A proof of one wager was made for its patron: by whom, of which wager.").name
WITHDRAWN = register_kind(
    "wager-proof-withdrawn", "The code of a wager's proof opens nothing any more: by whom, why."
).name
ROUND = "round"


def register_records() -> None:
    from compliance.proofs.comparing import differences
    from compliance.proofs.models import Commitment, Proof, Withdrawal
    from rounds.intake.recorded import register_kinds

    # Rounds are intake's, which Django makes ready after us.
    register_kinds()
    register_record(COMMITTED, Commitment.recorded_between)
    register_record(MADE, Proof.recorded_between)
    register_record(WITHDRAWN, Withdrawal.recorded_between)
    register_projection("committed wagers", {ROUND, COMMITTED}, differences)
