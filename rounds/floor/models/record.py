"""What every model of the floor shares: it is kept, and most of its rows stand for one entry each."""

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Self

from rounds.ledger.recorded import RecordedModel

KEPT = ("SELECT", "INSERT", "UPDATE")
GROWS_ONLY = ("SELECT", "INSERT")
SLUG = r"^[a-z0-9][a-z0-9-]{0,39}$"


class FloorRecord(RecordedModel):
    """A row of the floor that stands for one entry; `record_needs` are the relations that its record names."""

    record_needs: ClassVar[tuple[str, ...]] = ()

    class Meta(RecordedModel.Meta):
        abstract = True

    @classmethod
    def recorded_between(cls, log: str, first: int, last: int) -> Iterable[Self]:
        rows = cls._default_manager.filter(log=log, entry_index__gte=first, entry_index__lt=last)
        return rows.select_related(*(cls.record_needs or (None,))).order_by("entry_index")

    @abstractmethod
    def as_record(self) -> Mapping[str, Any]:
        """The body of the entry that this row stands for."""
