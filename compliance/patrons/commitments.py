"""Entries that stand for personal details: the details must still be what they commit to, or have been destroyed.

The database compares the digests itself, so that verifying reads nobody's name and is nobody's look.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection

from rounds.ledger.following import Recorded
from rounds.ledger.recorded import register_projection

_CARRIERS: set[str] = set()


@dataclass(frozen=True)
class Kept:
    """What is there of a record now; `found_sha256` is made afresh from details and salt, none where they are gone."""

    log: str
    digest_sha256: str
    found_sha256: str | None
    is_destroyed: bool


def register_carrier(kind: str) -> None:
    """Entries of this kind carry `record.as_commitment()` somewhere in their bodies. From AppConfig.ready."""
    _CARRIERS.add(kind)
    register_projection(f"personal details of {kind}", [kind], differences)


def is_carrier(kind: str) -> bool:
    return kind in _CARRIERS


def commitments(body: Any) -> Iterator[tuple[int, str]]:
    """Every (record, digest) in a body, wherever it stands."""
    if isinstance(body, dict):
        if isinstance(body.get("personal_record"), int) and "digest_sha256" in body:
            yield body["personal_record"], str(body["digest_sha256"])
        body = list(body.values())
    if isinstance(body, list):
        for part in body:
            yield from commitments(part)


def differences(log: str, first: int, last: int, entries: Sequence[Recorded]) -> Iterable[tuple[int, str]]:
    carried = [(entry.index, *found) for entry in entries for found in commitments(entry.content())]
    kept = _kept({record for _, record, _ in carried})
    for index, record, digest in carried:
        if complaint := _complaint(log, digest, kept.get(record)):
            yield index, f"{complaint} (personal record {record})."


def _kept(records: set[int]) -> dict[int, Kept]:
    if not records:
        return {}
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM patrons_compare(%s)", [sorted(records)])
        return {record: Kept(*rest) for record, *rest in cursor.fetchall()}


def _complaint(log: str, digest: str, kept: Kept | None) -> str:
    if kept is None:
        return "the record that it commits to is gone"
    if (kept.log, kept.digest_sha256) != (log, digest):
        return "the record that it commits to is now another one"
    if kept.is_destroyed:
        return "the details are recorded as destroyed and are still there" if kept.found_sha256 else ""
    if kept.found_sha256 is None:
        return "the details were removed, and no destruction is recorded"
    return "" if kept.found_sha256 == digest else "the details were changed"
