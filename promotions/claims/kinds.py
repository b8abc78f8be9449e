"""The entries that this app writes, and the rows that stand for them."""

from compliance.patrons.commitments import register_carrier
from promotions.claims.models import Claim, ClaimDecision, Payment, ReasonsTold
from rounds.ledger.kinds import register_kind
from rounds.ledger.recorded import register_record

CLAIM = "promotion-claim"
DECIDED = "promotion-claim-decided"
TOLD = "promotion-denial-told"
PAID = "promotion-prize-paid"


def register_kinds() -> None:
    register_kind(CLAIM, "A prize was claimed; the claimant's details stand beside the ledger.")
    register_kind(DECIDED, "A claim was met or denied, with the reasons.")
    register_kind(TOLD, "A claimant was told why the claim was denied.")
    register_kind(PAID, "A prize was handed over or paid, and how the winner had chosen.")
    register_record(CLAIM, Claim.recorded_between)
    register_record(DECIDED, ClaimDecision.recorded_between)
    register_record(TOLD, ReasonsTold.recorded_between)
    register_record(PAID, Payment.recorded_between)
    register_carrier(CLAIM)
    register_carrier(DECIDED)
