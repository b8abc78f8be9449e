"""What the models of promotions share."""

from rounds.ledger import LedgerModel

APPEND_ONLY = ("SELECT", "INSERT")


class PromotionRecord(LedgerModel):
    """A row that stands for one entry, is written once and never changes."""

    app_privileges = APPEND_ONLY

    class Meta(LedgerModel.Meta):
        abstract = True
