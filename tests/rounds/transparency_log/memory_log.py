"""A log in memory, stored like the real one (leaf hashes, full tiles, frontier), and bundles written from it."""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from rounds.ledger.export.bundle_writer import BundleEntry, BundleSource, WrittenBundle, write_bundle
from rounds.transparency_log.formats.leaf import Leaf, make_header, make_leaf
from rounds.transparency_log.formats.signed_note import SignerKey, sign_checkpoint
from rounds.transparency_log.tree.merkle import Frontier, RangeProof, leaf_hash
from rounds.transparency_log.tree.tiles import (
    FullTile,
    TileReader,
    consistency_proof,
    inclusion_proof,
    newly_full_tiles,
    range_proof,
)

OPENED_AT = datetime(2025, 3, 1, 10, 0, tzinfo=UTC)
SIGNER = SignerKey.from_seed("ledger.example/harbour", bytes(range(32)))


class MemoryTree:
    """Stores what the database stores, and nothing more."""

    def __init__(self, leaves: Iterable[bytes] = ()) -> None:
        self.leaf_hashes: list[bytes] = []
        self.tiles: dict[tuple[int, int], FullTile] = {}
        self.frontier = Frontier()
        self.append([leaf_hash(leaf) for leaf in leaves])

    def append(self, leaf_hashes: Sequence[bytes]) -> None:
        size = len(self.leaf_hashes)
        for tile in newly_full_tiles(size, self.read(), leaf_hashes):
            assert (tile.level, tile.index) not in self.tiles
            self.tiles[tile.level, tile.index] = tile
        self.leaf_hashes.extend(leaf_hashes)
        self.frontier.extend(leaf_hashes)

    def read(self) -> TileReader:
        return TileReader(len(self.leaf_hashes), lambda level, index: self.tiles[level, index].hashes, self._edge)

    def _edge(self, level: int, start: int, end: int) -> list[bytes]:
        if level == 0:
            return self.leaf_hashes[start:end]
        return [self.tiles[level - 1, index].root for index in range(start, end)]


class MemoryLog:
    """Rounds of one table at Harbour Casino, with checkpoints as they were signed."""

    def __init__(self) -> None:
        self.tree = MemoryTree()
        self.entries: list[Leaf] = []
        self.checkpoints: list[bytes] = []

    def play(self, rounds: int) -> None:
        self.record(*(self._round(len(self.entries) + offset) for offset in range(rounds)))

    def record(self, *leaves: Leaf) -> None:
        self.tree.append([leaf.leaf_hash for leaf in leaves])
        self.entries.extend(leaves)

    def _round(self, number: int) -> Leaf:
        header = make_header(
            kind="round",
            log="harbour",
            recorded_at=OPENED_AT + timedelta(minutes=number),
            table="SB-7",
            controller="shaker-7",
            sequence=number,
        )
        return make_leaf(header, b'{"round": "R%d", "dice":[1,2,%d], "note":"\xc3\xa9"}' % (number, number % 6 + 1))

    def sign(self) -> None:
        self.checkpoints.append(sign_checkpoint(self.tree.frontier.head(), SIGNER))

    @property
    def size(self) -> int:
        return len(self.entries)

    def prove_consistency(self, first: int, second: int) -> list[bytes]:
        return consistency_proof(self.tree.read(), first, second)

    def write_range(self, folder: Path, start: int, end: int, packs: Sequence[tuple[str, bytes]] = ()) -> WrittenBundle:
        entries = (
            BundleEntry(index, self.entries[index].header, self.entries[index].body) for index in range(start, end)
        )
        proof = range_proof(self.tree.read(), start, end, self.size)
        return self._write(folder, lambda: entries, packs=packs, proof=proof)

    def write_selection(self, folder: Path, indexes: Iterable[int]) -> WrittenBundle:
        def selected() -> Iterable[BundleEntry]:
            for index in indexes:
                proof = inclusion_proof(self.tree.read(), index, self.size)
                yield BundleEntry(index, self.entries[index].header, self.entries[index].body, tuple(proof))

        return self._write(folder, selected)

    def _write(
        self,
        folder: Path,
        entries: Callable[[], Iterable[BundleEntry]],
        packs: Sequence[tuple[str, bytes]] = (),
        proof: RangeProof | None = None,
    ) -> WrittenBundle:
        source = BundleSource("Harbour Casino", "harbour", SIGNER.verifier, OPENED_AT)
        return write_bundle(
            folder,
            source,
            entries=entries(),
            checkpoints=self.checkpoints,
            prove_consistency=self.prove_consistency,
            range_proof=proof,
            packs=packs,
        )
