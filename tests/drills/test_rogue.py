"""Whoever may do everything in the database changes something behind the service's back: found, and the place named."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from django.db import connection
from pytest_django import Settings

from rounds.ledger.checkpoints import make_key
from rounds.ledger.keeping import kept_file
from rounds.ledger.misfits import Misfit
from rounds.ledger.stored import every_log
from rounds.ledger.verification import verify_log
from tests.conftest import make_database, superuser
from tests.drills.behind import Column, Edit, Refused, as_superuser, columns_of, edit_byte, undone, unguarded
from tests.drills.full import seed, tally, times
from tests.drills.harbour import LOG, make_world
from tests.drills.tamperings import TAMPERINGS
from tests.rounds.ledger import harbour, rogue

# Not theirs to be tampered with: how far a follower is, and a verification under way, are work and no record.
WORKING = {"ledger_cursor", "ledger_verifying", "ledger_mention"}
ATTEMPTS = 40


@pytest.fixture
def service(transactional_db: None, settings: Settings, tmp_path: Path) -> str:
    settings.LEDGER_KEY_FILE = tmp_path / "keys" / "ledger.key"
    settings.MEDIA_ROOT = tmp_path / "uploads"
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    make_key(settings.LEDGER_KEY_FILE)
    return str(connection.settings_dict["USER"])


def misfits_of_every_log() -> list[Misfit]:
    return [misfit for log in every_log() for misfit in verify_log(log).misfits]


def some_edit(column: Column, chance: Random, service: str) -> tuple[Edit, list[Misfit]] | None:
    """One byte somewhere in the column and what is found then; None where the database holds no other byte."""
    for _ in range(ATTEMPTS):
        with undone():
            try:
                with unguarded(column.table, service=service):
                    edit = edit_byte(column, chance)
            except Refused:
                continue
            return edit, misfits_of_every_log()
    return None


def ledger_columns() -> list[Column]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname FROM pg_class WHERE relname LIKE 'ledger\\_%%' AND relkind = 'r' "
            "AND relnamespace = 'public'::regnamespace ORDER BY relname"
        )
        tables = [name for (name,) in cursor.fetchall() if name not in WORKING]
    return [column for table in tables for column in columns_of(table)]


def is_located(edit: Edit, misfits: list[Misfit]) -> bool:
    """Whether the row is named: the very entry, or the tile, head, checkpoint or log it is."""
    table, row = edit.column.table, edit.row
    if table.startswith("ledger_entry_"):
        return any(misfit.span == (row["index"], row["index"] + 1) for misfit in misfits)
    checks = {"ledger_tile": {"tiles"}, "ledger_head": {"head"}, "ledger_reversal": {"reversals"}}
    if table in checks:
        return any(misfit.check in checks[table] for misfit in misfits)
    word = "checkpoint" if table == "ledger_checkpoint" else "log"
    return any(misfit.check in ("checkpoints", "times") and word in misfit.sentence for misfit in misfits)


def test_one_byte_of_any_column_of_the_ledger_is_found_and_located(service: str, tmp_path: Path) -> None:
    harbour.opened()
    rogue.record_harbour(tmp_path)
    chance, missed, tried = Random(seed()), [], set()
    with as_superuser():
        columns = ledger_columns()
        for number in range(times(20, full=1000)):
            # In turn, so that a few edits reach many columns; where in a column is left to chance.
            column = columns[(number * 7 + seed()) % len(columns)]
            done = some_edit(column, chance, service)
            if done is None:
                tally("columns where the database itself refuses another byte")
                continue
            edit, misfits = done
            tried.add(column)
            tally("bytes of the ledger edited")
            tally("bytes of the ledger edited: found", bool(misfits))
            tally("bytes of the ledger edited: located", is_located(edit, misfits))
            if not is_located(edit, misfits):
                missed.append(f"{column}, byte {edit.place} of {edit.row}: {[one.sentence for one in misfits[:3]]}")
    assert missed == []
    assert len(tried) > 10


@pytest.fixture
def world(service: str, tmp_path: Path) -> Iterator[str]:
    make_world(tmp_path)
    with as_superuser():
        yield service


def test_each_tampering_is_found_and_its_entry_named(world: str) -> None:
    assert misfits_of_every_log() == []
    for tampering in TAMPERINGS:
        with undone():
            with unguarded(*tampering.tables, service=world) as admin:
                index = tampering.do(admin)
            misfits = list(verify_log(LOG).misfits)
        tally("tamperings with records")
        said = [misfit.sentence for misfit in misfits]
        assert any(tampering.says in sentence for sentence in said), f"{tampering.name}: {said}"
        assert index is None or any(misfit.index == index for misfit in misfits), f"{tampering.name}: {said}"
        tally("tamperings with records: found and located")


@pytest.fixture
def backup(service: str) -> Iterator[str]:
    """Where the backup is restored: a database of its own."""
    yield "week_old_backup"
    with superuser("postgres") as admin:
        admin.execute("DROP DATABASE IF EXISTS week_old_backup WITH (FORCE)")


def test_a_week_old_backup_is_found_by_the_checkpoint_that_an_inspector_kept(service: str, backup: str) -> None:
    """With everything of that week restored: database, key and the checkpoint kept beside it."""
    harbour.opened()
    harbour.play(100)
    week_old = harbour.sign()
    connection.close()
    with superuser("postgres") as admin:
        make_database(admin, backup, str(connection.settings_dict["NAME"]))
    harbour.play(40, first=100)
    inspectors = harbour.sign()
    kept_file(LOG).write_bytes(week_old)
    with elsewhere(backup):
        assert verify_log(LOG).is_whole, "By itself an old backup is as whole as it was."
        verdict = verify_log(LOG, seen=[("the checkpoint that the inspector kept", inspectors)])
    assert [misfit.sentence for misfit in verdict.misfits] == [
        "Entries 100 to 139: missing, though covered by the checkpoint that the inspector kept."
    ]
    tally("week-old backups restored: found, and what is missing named")


@contextmanager
def elsewhere(database: str) -> Iterator[None]:
    connection.close()
    name = connection.settings_dict["NAME"]
    connection.settings_dict["NAME"] = database
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = name
