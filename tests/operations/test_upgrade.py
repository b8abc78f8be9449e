"""A filled database goes back to the tables of an earlier release and comes forward again: nothing of it is lost."""

from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from psycopg import sql
from pytest_django import Settings

from compliance.audit.models import PackedRound
from rounds.ledger.guards import guard_faults
from rounds.ledger.stored import every_log
from rounds.ledger.verification import verify_log
from tests.conftest import superuser
from tests.drills.full import tally
from tests.drills.working_day import make_world
from tests.operations.databases import empty_database

# Where each release ended, for the apps whose tables have changed since.
RELEASES = {"0.1": {"audit": "0008_played", "ledger": "0002_search", "reviews": "0003_dealers"}}
ROUNDS = 30


def rows() -> dict[str, int]:
    """Of every table, those too that the service itself may not read. What Django notes of models is not data."""
    models = [model for model in apps.get_models() if model._meta.app_label not in ("auth", "contenttypes")]
    tables = sorted({model._meta.db_table for model in models})
    with superuser(connection.settings_dict["NAME"]) as admin:
        counts = [admin.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(name))) for name in tables]
        return {name: next(iter(count))[0] for name, count in zip(tables, counts, strict=True)}


def waiting() -> list[str]:
    executor = MigrationExecutor(connection)
    return [f"{one.app_label}.{one.name}" for one, _ in executor.migration_plan(executor.loader.graph.leaf_nodes())]


@pytest.mark.parametrize("release", RELEASES)
def test_a_database_of_an_earlier_release_is_brought_up_to_this_one_with_its_data(
    release: str,
    transactional_db: None,
    settings: Settings,
    tmp_path: Path,
) -> None:
    settings.LEDGER_KEY_FILE, settings.MEDIA_ROOT = tmp_path / "keys" / "ledger.key", tmp_path / "uploads"
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    with empty_database(has_tables=True):
        make_world(tmp_path, rounds=ROUNDS)
        before, packed = rows(), PackedRound.objects.values_list("entry_index", "ended_at", "wagers")
        packed_before = list(packed)
        for app, last in RELEASES[release].items():
            call_command("migrate", app, last, verbosity=0)
        assert {name.partition(".")[0] for name in waiting()} == set(RELEASES[release])
        call_command("migrate", verbosity=0)
        assert waiting() == []
        assert guard_faults() == []
        assert rows() == before
        assert list(packed.all()) == packed_before
        assert len(packed_before) == ROUNDS
        verdicts = [verify_log(log) for log in every_log()]
        assert [one.first_misfit for one in verdicts if not one.is_whole] == []
    tally("entries of an earlier release verified after the upgrade", sum(one.size for one in verdicts))
