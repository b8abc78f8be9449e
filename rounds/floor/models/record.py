"""What every model of the floor shares: it is kept, and most of its rows stand for one entry each."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

from rounds.ledger.recorded import RecordedModel

KEPT = ("SELECT", "INSERT", "UPDATE")
GROWS_ONLY = ("SELECT", "INSERT")
SLUG = r"^[a-z0-9][a-z0-9-]{0,39}$"


class FloorRecord(RecordedModel):
    """A row of the floor that stands for one entry."""

    class Meta(RecordedModel.Meta):
        abstract = True

    @abstractmethod
    def as_record(self) -> Mapping[str, Any]:
        """The body of the entry that this row stands for."""
