"""What the audited key reads: entries in a row, and rule packs. Here from a bundle of evidence that was taken away;
fetching.py has the same from the service itself.

Nothing in it is believed: the entries must lead to the checkpoint that the witness keeps, a pack to its digest in them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, Protocol

import msgspec

from rounds.ledger import formats
from rounds.witness.errors import WitnessError


class RawEntry(NamedTuple):
    place: int
    header: bytes
    body: bytes


class EntrySource(Protocol):
    """Where entries and packs come from."""

    def entries(self, first: int, last: int) -> Iterator[RawEntry]:
        """In order, from `first` on or from wherever it begins."""

    def packs(self, named: Collection[str]) -> dict[str, bytes]:
        """By the digest of what each is, whatever it is called; those named, and perhaps others."""


class BundleFolder:
    """A folder that was taken away and unpacked."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def origin(self) -> str:
        """Which log it says it is of: enough to choose one, for its entries must fit what is kept of that."""
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
        found = (path.read_bytes() for path in sorted((self.folder / "packs").glob("*.toml")))
        return packs_by_digest(found)

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
