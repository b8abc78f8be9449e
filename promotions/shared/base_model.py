"""Abstract base of the promotions' models."""

from rounds.ledger import LedgerModel

APPEND_ONLY = ("SELECT", "INSERT")


class PromotionRecord(LedgerModel):
    """A row with one ledger entry. Written once; never changes."""

    app_privileges = APPEND_ONLY

    class Meta(LedgerModel.Meta):
        abstract = True
