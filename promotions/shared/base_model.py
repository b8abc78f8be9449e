"""Abstract base of the promotions' models."""

from rounds.ledger import WithdrawableModel

APPEND_ONLY = ("SELECT", "INSERT")


class PromotionRecord(WithdrawableModel):
    """A row with one ledger entry. Written once; never changes; `objects` leaves withdrawn rows out."""

    app_privileges = APPEND_ONLY

    class Meta(WithdrawableModel.Meta):
        abstract = True
