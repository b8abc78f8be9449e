"""What the models of promotions share."""

from rounds.ledger.recorded import RecordedModel

GROWS_ONLY = ("SELECT", "INSERT")


class PromotionRecord(RecordedModel):
    """A row that stands for one entry, is written once and never changes."""

    app_privileges = GROWS_ONLY

    class Meta(RecordedModel.Meta):
        abstract = True
