"""Query counts of proofs and appends, which must not grow with the log."""

import pytest
from django.db import connection
from pytest_django import DjangoAssertNumQueries

from rounds.ledger.models import Log
from rounds.ledger.storage import consistency_proof, get_log, head_of, inclusion_proof, range_proof, root_at
from rounds.transparency_log.tree.merkle import Frontier, TreeHead, verify_consistency, verify_inclusion
from rounds.transparency_log.tree.tiles import newly_full_tiles
from tests.rounds.ledger import harbour_log
from tests.rounds.transparency_log.memory_log import MemoryTree

SIZE = 70_000


@pytest.fixture
def long_log(log: str) -> tuple[Log, TreeHead]:
    """70,000 entries: 273 full tiles of leaves, one full tile above them, and an incomplete right edge.

    Only their hashes matter here, so they are inserted directly; test_append.py appends for real.
    """
    stored = get_log(log)
    leaves = [number.to_bytes(32, "big") for number in range(SIZE)]
    frontier = Frontier()
    frontier.extend(leaves)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO ledger_entry (log_id, index, kind, recorded_at, body, leaf_sha256) "
            "SELECT %s, n, 'test-note', now(), '', decode(lpad(to_hex(n), 64, '0'), 'hex') "
            "FROM generate_series(0, %s) n",
            [stored.pk, SIZE - 1],
        )
        cursor.executemany(
            "INSERT INTO ledger_tile (log_id, level, index, hashes, root) VALUES (%s, %s, %s, %s, %s)",
            [
                (stored.pk, tile.level, tile.index, tile.hashes, tile.root)
                for tile in newly_full_tiles(0, MemoryTree().read(), leaves)
            ],
        )
        cursor.execute("UPDATE ledger_head SET size = %s, frontier = %s", [SIZE, frontier.to_bytes()])
    return stored, frontier.head()


def test_an_inclusion_proof(long_log: tuple[Log, TreeHead], django_assert_num_queries: DjangoAssertNumQueries) -> None:
    log, head = long_log
    for index, queries in (
        (0, 4),
        (255, 4),
        (30_000, 4),
        (65_535, 4),
        (65_536, 4),
        (69_887, 4),
        (69_888, 3),
        (69_999, 3),
    ):
        with django_assert_num_queries(queries):
            proof = inclusion_proof(log, index, head.size)
        verify_inclusion(index.to_bytes(32, "big"), index, head, proof)


def test_a_consistency_proof(
    long_log: tuple[Log, TreeHead], django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    log, head = long_log
    for first in (1, 255, 256, 257, 40_000, 65_535, 65_536, 65_537, 69_999, 70_000):
        with django_assert_max_num_queries(5):
            proof = consistency_proof(log, first, head.size)
        verify_consistency(TreeHead(first, root_at(log, first)), head, proof)


def test_a_range_proof_and_an_old_root(
    long_log: tuple[Log, TreeHead], django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    log, head = long_log
    with django_assert_max_num_queries(6):
        range_proof(log, 12_345, 54_321, head.size)
    with django_assert_max_num_queries(3):
        assert root_at(log, head.size) == head.root


def test_an_append_locks_once_and_moves_the_head_once(
    long_log: tuple[Log, TreeHead], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """Lock, entries, head; the savepoint and its release belong to the test."""
    with django_assert_num_queries(5):
        [receipt] = harbour_log.record_all([harbour_log.note(1)])
    assert receipt.index == SIZE
    assert head_of(long_log[0]).size == SIZE + 1


def test_an_append_that_fills_a_tile_reads_that_tile_s_edge_and_no_other(
    long_log: tuple[Log, TreeHead], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """70,000 is 112 past a tile: 144 more fill it. The edge is read once, the full tile written once."""
    with django_assert_num_queries(7):
        harbour_log.record_all([harbour_log.note(number) for number in range(144)])
    assert root_at(long_log[0], SIZE + 144) == head_of(long_log[0]).root
