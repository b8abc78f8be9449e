"""CorrectableRecord: what an app states about a kind of entry whose records can be withdrawn. Each app registers its
own in AppConfig.ready()."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from compliance.core.accounts.models import User
from compliance.core.accounts.roles import Role
from rounds.ledger import EntryKind, LogEntry, WithdrawableModel


def nothing_depends(record: Any) -> Iterable[str]:
    return ()


def change_nothing(record: Any, actor: User, now: datetime) -> None:
    """For records whose withdrawal changes no other row."""


def no_parties(record: Any) -> Mapping[str, Iterable[int]]:
    return {}


def nothing_else(record: Any, entry: LogEntry) -> Collection[int]:
    return ()


def own_author(content: Mapping[str, Any]) -> int | None:
    by = content.get("by")
    return by.get("id") if isinstance(by, dict) else None


def line_author(content: Mapping[str, Any]) -> int | None:
    """The person who recorded what a controller would otherwise have reported."""
    origin = content.get("origin")
    return own_author(origin) if isinstance(origin, dict) else None


@dataclass(frozen=True, kw_only=True)
class CorrectableRecord:
    """How a record of this kind is withdrawn.

    `writers` are the roles that record such entries. `find` returns the record of an entry, its state row locked, or
    None. `page` is the address of the record's own page. `dependents` names records that must be withdrawn first.
    `parties` are those with a part in what the record decided, by a verb: only its author may be one of them. `also`
    are the other entries of the same act, which are withdrawn with it. `after` changes state rows; it runs when the
    record counts as withdrawn. `record_anew` is the address of the form for the right record, where there is one that
    is not on the record's page. `author` reads the person from the entry's content.
    """

    kind: EntryKind
    writers: frozenset[Role]
    find: Callable[[LogEntry], Any]
    page: Callable[[Any], str]
    dependents: Callable[[Any], Iterable[str]] = nothing_depends
    parties: Callable[[Any], Mapping[str, Iterable[int]]] = no_parties
    also: Callable[[Any, LogEntry], Collection[int]] = nothing_else
    after: Callable[[Any, User, datetime], None] = change_nothing
    record_anew: Callable[[Any, LogEntry], str] | None = None
    author: Callable[[Mapping[str, Any]], int | None] = own_author


_RECORDS: dict[str, CorrectableRecord] = {}


def register_correctable(*records: CorrectableRecord) -> None:
    for record in records:
        if _RECORDS.setdefault(record.kind, record) is not record:
            raise ValueError(f"Two apps register how {record.kind!r} is withdrawn.")


def correctable_of(kind: str) -> CorrectableRecord | None:
    return _RECORDS.get(kind)


def correctable_records() -> list[CorrectableRecord]:
    return sorted(_RECORDS.values(), key=lambda record: record.kind)


def find_row(model: type[WithdrawableModel], *joined: str) -> Callable[[LogEntry], Any]:
    """A `find` for rows that are written with the entry."""
    return lambda entry: (
        model.recorded.filter(log=entry.log, entry_index=entry.index).select_related(*joined or ("casino",)).first()
    )
