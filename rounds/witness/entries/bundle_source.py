"""EntrySource, the protocol for reading entries and rule packs, and its implementation for an evidence bundle.

Nothing is trusted: the entries must lead to the checkpoint the witness cosigned, and a pack must match its digest in
them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, Protocol

import msgspec

from rounds.transparency_log import formats
from rounds.witness.errors import WitnessError


class RawEntry(NamedTuple):
    place: int
    header: bytes
    body: bytes


class EntrySource(Protocol):
    """A source of entries and rule packs."""

    def entries(self, first: int, last: int) -> Iterator[RawEntry]:
        """Entries in order, from `first` on or from the first the source has."""

    def packs(self, named: Collection[str]) -> dict[str, bytes]:
        """Rule packs by SHA-256 of their content; at least those named that the source has."""


class BundleFolder:
    """An unpacked evidence bundle."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def origin(self) -> str:
        """The log that the bundle claims to be of. Only used to choose the log: its entries are verified."""
        try:
            return str(msgspec.json.decode((self.folder / "manifest.json").read_bytes())["origin"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise self._not_a_bundle_error(error) from error

    def entries(self, first: int = 0, last: int = 2**63) -> Iterator[RawEntry]:
        try:
            with (self.folder / "entries.ndjson").open("rb") as file:
                for line in file:
                    read = msgspec.json.decode(line, type=_BundleLine)
                    if first <= read.index < last:
                        yield RawEntry(read.index, read.header.encode(), read.body_bytes())
        except (OSError, ValueError) as error:
            raise self._not_a_bundle_error(error) from error

    def packs(self, named: Collection[str] = ()) -> dict[str, bytes]:
        contents = (path.read_bytes() for path in sorted((self.folder / "packs").glob("*.toml")))
        return packs_by_digest(contents)

    def _not_a_bundle_error(self, error: Exception) -> WitnessError:
        return WitnessError("bad-bundle", f"{self.folder} is not a bundle of evidence: {error}")


class _BundleLine(msgspec.Struct):
    index: int
    header: str
    body: str | None = None
    body_base64: str | None = None

    def body_bytes(self) -> bytes:
        return formats.decode_base64(self.body_base64, "body") if self.body_base64 else (self.body or "").encode()


def packs_by_digest(packs: Iterable[bytes]) -> dict[str, bytes]:
    return {sha256(content).hexdigest(): content for content in packs}
