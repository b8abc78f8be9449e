"""Planning: runs a service to learn what it would record. Used to warn a person before an act is recorded.

The transaction is READ ONLY, so that PostgreSQL refuses any write that the compilers let through. It takes no lock and
no transaction id, and is rolled back, so that no task is published.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from django.db import connection, models, transaction


@dataclass
class Plan:
    """What a service would write: the rows that it inserts, and its ledger entries. Both have provisional keys."""

    rows: list[models.Model] = field(default_factory=list)
    # Written by rounds.ledger, which this layer may not import.
    entries: list[Any] = field(default_factory=list)
    _keys: Iterator[int] = field(default_factory=lambda: count(-1, -1))

    def forget_rows(self) -> None:
        """Removes the rows from the objects that they refer to, which Django caches on both sides of a one-to-one
        relation. Those objects are used again when the act is recorded."""
        for row in self.rows:
            for relation in row._meta.fields:
                if isinstance(relation, models.OneToOneField) and relation.is_cached(row):
                    related = relation.get_cached_value(row)
                    if related is not None and relation.remote_field.is_cached(related):
                        relation.remote_field.delete_cached_value(related)

    def next_key(self) -> int:
        """A primary key that no stored row has."""
        return next(self._keys)


_current: ContextVar[Plan | None] = ContextVar("plan", default=None)


def current_plan() -> Plan | None:
    """The plan that is being made; None if services record what they do."""
    return _current.get()


@contextmanager
def planning() -> Iterator[Plan]:
    plan = Plan()
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION READ ONLY")
        reset = _current.set(plan)
        try:
            yield plan
        finally:
            _current.reset(reset)
            plan.forget_rows()
            transaction.set_rollback(True)
