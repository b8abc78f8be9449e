"""A bundle of evidence (`export_bundle`, or the page) as the audited key reads it: entries in a row, and rule packs.

Nothing in it is believed: the entries must lead to the checkpoint that the witness keeps, a pack to its digest in them.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import msgspec

from rounds.ledger.notes import decode_base64
from rounds.witness.errors import WitnessError


class EntryRead(NamedTuple):
    place: int
    header: bytes
    body: bytes


class _Line(msgspec.Struct):
    index: int
    header: str
    body: str | None = None
    body_base64: str | None = None


def entries_in(folder: Path) -> Iterator[EntryRead]:
    try:
        with (folder / "entries.ndjson").open("rb") as file:
            for line in file:
                read = msgspec.json.decode(line, type=_Line)
                body = decode_base64(read.body_base64, "body") if read.body_base64 else (read.body or "").encode()
                yield EntryRead(read.index, read.header.encode(), body)
    except (OSError, ValueError) as error:
        raise WitnessError("bad-bundle", f"{folder} is not a bundle of evidence: {error}") from error


def origin_of(folder: Path) -> str:
    """Which log the bundle says it is of: enough to choose one, for its entries must fit what is kept of that."""
    try:
        return str(msgspec.json.decode((folder / "manifest.json").read_bytes())["origin"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise WitnessError("bad-bundle", f"{folder} is not a bundle of evidence: {error}") from error


def packs_in(folder: Path) -> dict[str, bytes]:
    """By the digest of what is in each file, whatever its name says."""
    found = (path.read_bytes() for path in sorted((folder / "packs").glob("*.toml")))
    return {sha256(content).hexdigest(): content for content in found}
