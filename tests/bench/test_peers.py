"""The peers of the benchmark do the same work as the audit: each of them finds just what was planted."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.db import connection
from pytest_django import Settings

from compliance.audit.models import Finding
from compliance.audit.working import audit_log, catch_up
from rounds.ledger.checkpoints import make_key
from rounds.ledger.models import Head
from rounds.ledger.verification import verify_log
from tests.bench import peers
from tests.bench.normalised import normalise, remove_normalised
from tests.bench.place import url_of_database
from tests.bench.playing import BulkFloor, open_floor
from tests.conftest import superuser
from tests.rounds.floor.conftest import quick_passwords

__all__ = ["quick_passwords"]

ROUNDS, ONE_WRONG_IN = 250, 500


@pytest.fixture
def floor(transactional_db: None) -> Iterator[BulkFloor]:
    floor = open_floor(ONE_WRONG_IN)
    floor.play(ROUNDS)
    name = connection.settings_dict["NAME"]
    with superuser(name) as admin:
        normalise(admin, connection.settings_dict["USER"], floor.tables)
    yield floor
    with superuser(name) as admin:
        remove_normalised(admin)


def test_ours_and_every_peer_find_the_same_wagers_and_amounts(floor: BulkFloor) -> None:
    planted = sorted((wrong.index, wrong.wager, wrong.required_cents, wrong.found_cents) for wrong in floor.planted)
    assert len(planted) > 5
    list(audit_log(floor.house.casino))
    found = Finding.objects.values_list("subject_index", "wager", "required_cents", "found_cents")
    assert sorted(found) == planted
    url, end = url_of_database(), Head.objects.get(log__slug="harbour").size
    with psycopg.connect(url) as own:
        assert peers.orm_loop(own, 0, end) == ROUNDS * 20
        assert written(own) == planted
        peers.sql(own)
        assert written(own) == planted
    for peer in (peers.in_duckdb, peers.in_polars):
        peer(url)
        with psycopg.connect(url) as own:
            assert written(own) == planted


def test_the_log_played_in_bulk_is_whole(floor: BulkFloor, settings: Settings, tmp_path: Path) -> None:
    """Its growth is measured by verifying it, signatures and packed rounds included."""
    settings.LEDGER_KEY_FILE = tmp_path / "ledger.key"
    make_key(settings.LEDGER_KEY_FILE)
    catch_up("harbour")
    verdict = verify_log("harbour")
    assert verdict.is_whole, verdict.first_misfit


def written(own: psycopg.Connection) -> list[tuple[object, ...]]:
    """What the last peer wrote down; nothing is left for the next one to be taken for its own."""
    rows = own.execute("""
        DELETE FROM peer_discrepancy USING peer_wager WHERE id = wager_id
        RETURNING peer_discrepancy.round_id, name, required, peer_discrepancy.returned
    """).fetchall()
    own.commit()
    return sorted(rows)
