"""A database of an earlier release, with its data: restored, migrated to today's tables, and every entry verified.

`release-0.1` is what `manage.py backup` made of the demo under that release. A later release adds its own folder.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from pytest_django import Settings

from compliance.accounts.models import Casino, User
from compliance.config.backups.manifest import read_manifest
from compliance.config.backups.restoring import restore_backup
from rounds.ledger.guards import guard_faults
from rounds.ledger.notes import unverified_head
from tests.operations.databases import empty_database

RELEASES = sorted(Path(__file__).parent.glob("release-*"))


@pytest.mark.parametrize("release", RELEASES, ids=lambda path: path.name)
def test_an_earlier_release_is_brought_up_to_this_one_with_its_data(
    release: Path,
    transactional_db: None,
    settings: Settings,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    settings.LEDGER_KEY_FILE = tmp_path / "keys" / "ledger.key"
    settings.MEDIA_ROOT, settings.REPORTS_DIR = tmp_path / "uploads", tmp_path / "reports"
    signed = {log: unverified_head(note.encode()) for log, note in read_manifest(release).checkpoints.items()}
    with empty_database() as database:
        verdicts = restore_backup(backup=release, owner=database)
        assert [one.first_misfit for one in verdicts if not one.is_whole] == []
        assert {one.log: one.size for one in verdicts} == {log: head.size for log, head in signed.items() if head}
        assert sum(one.size for one in verdicts) > 200
        plan = MigrationExecutor(connection).migration_plan(MigrationExecutor(connection).loader.graph.leaf_nodes())
        assert plan == []
        assert guard_faults() == []
        assert Casino.objects.count() == 5
        assert User.objects.filter(email="inspector@demo.example").exists()
        call_command("verify_ledger", "--log", "harbour", "--key", read_manifest(release).verifier_keys["harbour"])
    record_property("entries of an earlier release verified after the upgrade", sum(one.size for one in verdicts))


def test_there_is_an_earlier_release_to_try() -> None:
    assert RELEASES
