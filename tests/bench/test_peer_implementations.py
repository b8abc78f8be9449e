"""The benchmark's peers do the same work as the audit: each finds exactly what was planted."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.db import connection
from pytest_django import Settings

from compliance.audit.models import Finding
from compliance.audit.run.worker import audit_log, consume_new_entries
from rounds.ledger.models import Head
from rounds.ledger.signing.checkpoints import create_key_file
from rounds.ledger.verify.verify_log import verify_log
from tests.bench.support import peer_implementations
from tests.bench.support.bulk_rounds import BulkFloor, open_floor
from tests.bench.support.database import url_of_database
from tests.bench.support.normalised_tables import normalise, remove_normalised
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
        assert peer_implementations.settle_in_orm(own, 0, end) == ROUNDS * 20
        assert written(own) == planted
        peer_implementations.settle_in_sql(own)
        assert written(own) == planted
    for peer in (peer_implementations.settle_in_duckdb, peer_implementations.settle_in_polars):
        peer(url)
        with psycopg.connect(url) as own:
            assert written(own) == planted


def test_the_log_played_in_bulk_is_whole(floor: BulkFloor, settings: Settings, tmp_path: Path) -> None:
    """Its growth is measured by verifying it, signatures and packed rounds included."""
    settings.LEDGER_KEY_FILE = tmp_path / "ledger.key"
    create_key_file(settings.LEDGER_KEY_FILE)
    consume_new_entries("harbour")
    verdict = verify_log("harbour")
    assert verdict.is_intact, verdict.first_issue


def written(own: psycopg.Connection) -> list[tuple[object, ...]]:
    """What the last peer wrote; deleted, so that the next one starts empty."""
    rows = own.execute("""
        DELETE FROM peer_discrepancy USING peer_wager WHERE id = wager_id
        RETURNING peer_discrepancy.round_id, name, required, peer_discrepancy.returned
    """).fetchall()
    own.commit()
    return sorted(rows)
