"""Verifier for `verify_ledger`: details must still match the digests in their entries, or have been destroyed. The
database compares the digests itself, so verification reads no names and needs no access record."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection

from rounds.ledger import LogEntry, register_projection

_CARRIER_KINDS: set[str] = set()


@dataclass(frozen=True)
class StoredDigest:
    """Current state of a record. `found_sha256` is recomputed from details and salt; None if they are gone."""

    log: str
    digest_sha256: str
    found_sha256: str | None
    is_destroyed: bool


def register_personal_data_kind(kind: str) -> None:
    """Registers a kind whose entries carry `record.as_commitment()` in their bodies. Called in AppConfig.ready."""
    _CARRIER_KINDS.add(kind)
    register_projection(f"personal details of {kind}", [kind], verify_rows)


def may_refer_to_personal_data(kind: str) -> bool:
    return kind in _CARRIER_KINDS


def commitments_in(body: Any) -> Iterator[tuple[int, str]]:
    """Every (record, digest) in a body, at any depth."""
    if isinstance(body, dict):
        if isinstance(body.get("personal_record"), int) and "digest_sha256" in body:
            yield body["personal_record"], str(body["digest_sha256"])
        body = list(body.values())
    if isinstance(body, list):
        for part in body:
            yield from commitments_in(part)


def verify_rows(log: str, first: int, last: int, entries: Sequence[LogEntry]) -> Iterable[tuple[int, str]]:
    carried = [(entry.index, *found) for entry in entries for found in commitments_in(entry.content())]
    stored = _stored_digests({record for _, record, _ in carried})
    for index, record, digest in carried:
        if complaint := _issue_text(log, digest, stored.get(record)):
            yield index, f"{complaint} (personal record {record})."


def _stored_digests(records: set[int]) -> dict[int, StoredDigest]:
    if not records:
        return {}
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM patrons_compare(%s)", [sorted(records)])
        return {record: StoredDigest(*rest) for record, *rest in cursor.fetchall()}


def _issue_text(log: str, digest: str, stored: StoredDigest | None) -> str:
    if stored is None:
        return "the record that it commits to is gone"
    if (stored.log, stored.digest_sha256) != (log, digest):
        return "the record that it commits to is now another one"
    if stored.is_destroyed:
        return "the details are recorded as destroyed and are still there" if stored.found_sha256 else ""
    if stored.found_sha256 is None:
        return "the details were removed, and no destruction is recorded"
    return "" if stored.found_sha256 == digest else "the details were changed"
