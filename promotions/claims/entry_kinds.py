"""Entry kinds of claims, and the models whose rows record them."""

from compliance.privacy.personal_data.verify import register_personal_data_kind
from promotions.claims.models import Claim, ClaimDecision, Payment, ReasonsTold
from rounds.ledger import register_kind, register_rows

CLAIM = "promotion-claim"
DECIDED = "promotion-claim-decided"
TOLD = "promotion-denial-told"
PAID = "promotion-prize-paid"


def register_kinds() -> None:
    register_kind(CLAIM, "A prize was claimed; the claimant's details stand beside the ledger.")
    register_kind(DECIDED, "A claim was met or denied, with the reasons.")
    register_kind(TOLD, "A claimant was told why the claim was denied.")
    register_kind(PAID, "A prize was handed over or paid, and how the winner had chosen.")
    register_rows(CLAIM, Claim.rows_between)
    register_rows(DECIDED, ClaimDecision.rows_between)
    register_rows(TOLD, ReasonsTold.rows_between)
    register_rows(PAID, Payment.rows_between)
    register_personal_data_kind(CLAIM)
    register_personal_data_kind(DECIDED)
