"""A database superuser changes something directly: verification finds it and names the place."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from django.db import connection, transaction
from pytest_django import Settings

from rounds.ledger.signing.checkpoint_file import checkpoint_file_path
from rounds.ledger.signing.checkpoints import create_key_file
from rounds.ledger.storage import every_log
from rounds.ledger.verify.issues import Issue
from rounds.ledger.verify.verify_log import verify_log
from tests.conftest import make_database, superuser
from tests.drills.support.full_length import count_in_tally, is_time_up, repetitions, seed
from tests.drills.support.superuser_edits import (
    Column,
    Edit,
    EditRefused,
    as_superuser,
    columns_of,
    edit_byte,
    guards_disabled,
    rolled_back,
)
from tests.drills.support.tampering_cases import TAMPERINGS
from tests.drills.support.working_day import LOG, make_world
from tests.rounds.ledger import harbour_log, superuser_attacks

# Not records: cursors, running verifications and the search index. A halt is compared with checkpoints outside the
# database, and an epoch is an entry.
WORKING = {"ledger_cursor", "ledger_verifying", "ledger_mention", "ledger_halt", "ledger_epoch"}
ATTEMPTS = 40
# No other value is possible: a partition holds one log, whose id is in the partition's name.
KEPT = {"ledger_entry_.log_id", "ledger_log.id"}


@pytest.fixture
def service(transactional_db: None, settings: Settings, tmp_path: Path) -> str:
    settings.LEDGER_KEY_FILE = tmp_path / "keys" / "ledger.key"
    settings.MEDIA_ROOT = tmp_path / "uploads"
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    create_key_file(settings.LEDGER_KEY_FILE)
    return str(connection.settings_dict["USER"])


def misfits_of_every_log() -> list[Issue]:
    return [misfit for log in every_log() for misfit in verify_log(log).issues]


def edit_some(columns: Sequence[Column], chance: Random, service: str) -> tuple[list[Edit], list[Issue]]:
    """Changes one byte in each of the columns, each in another row; returns the edits and the issues found.

    Fewer edits than columns where the database accepts no other byte."""
    with rolled_back():
        edits: list[Edit] = []
        for column in columns:
            with guards_disabled(column.table, service=service):
                edit = _edit(column, chance, {str(edit.row) for edit in edits})
            edits += [edit] if edit else []
        return edits, misfits_of_every_log() if edits else []


def _edit(column: Column, chance: Random, taken: set[str]) -> Edit | None:
    for _ in range(ATTEMPTS):
        try:
            with transaction.atomic():
                edit = edit_byte(column, chance)
                if str(edit.row) in taken:
                    raise EditRefused("Another byte of this row was edited.")
        except EditRefused:
            continue
        return edit
    return None


def ledger_columns() -> list[Column]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname FROM pg_class WHERE relname LIKE 'ledger\\_%%' AND relkind = 'r' "
            "AND relnamespace = 'public'::regnamespace ORDER BY relname"
        )
        tables = [name for (name,) in cursor.fetchall() if name not in WORKING]
    return [column for table in tables for column in columns_of(table)]


def is_located(edit: Edit, misfits: list[Issue]) -> bool:
    """Whether the row is reported: its entry, or the tile, head, checkpoint or log that it is."""
    table, row = edit.column.table, edit.row
    if table.startswith("ledger_entry_"):
        return any(misfit.span == (row["index"], row["index"] + 1) for misfit in misfits)
    if edit.column.name == "slug":
        # Every entry names its log, so from the first on none matches.
        return [misfit.index for misfit in misfits[:3]] == [0, 1, 2]
    if table == "ledger_checkpoint" and edit.column.name in ("root", "note", "signed_at", "times_signature"):
        return any(f"checkpoint of {row['size']:,} entries" in misfit.sentence for misfit in misfits)
    if table == "ledger_tile" and edit.column.name in ("hashes", "root"):
        first, end = (256 ** (row["level"] + 1) * number for number in (row["index"], row["index"] + 1))
        return any(m.check == "tiles" and m.span[0] < end and first < m.span[1] for m in misfits if m.span)
    checks = {"ledger_tile": {"tiles"}, "ledger_head": {"head"}, "ledger_reversal": {"reversals"}}
    if table in checks:
        return any(misfit.check in checks[table] for misfit in misfits)
    word = "checkpoint" if table == "ledger_checkpoint" else "log"
    return any(misfit.check in ("checkpoints", "times") and word in misfit.sentence for misfit in misfits)


def turns(columns: list[Column], chance: Random) -> Iterator[list[Column]]:
    """Entry columns together, since each entry is reported by itself; all others one at a time."""
    apart = {"log_id", "index"}
    entries = [column for column in columns if column.table.startswith("ledger_entry_") and column.name not in apart]
    others = [column for column in columns if column not in entries]
    for _ in range(repetitions(1, full=25)):
        yield entries + chance.choices(entries, k=repetitions(10, full=40) - len(entries))
    # Every column once, so that none is left to chance.
    order = chance.sample(others, len(others))
    for number in range(repetitions(12, full=260)):
        yield [order[number % len(order)]]


def test_one_byte_of_any_column_of_the_ledger_is_found_and_located(service: str, tmp_path: Path) -> None:
    harbour_log.opened()
    superuser_attacks.record_harbour(tmp_path)
    assert misfits_of_every_log() == []
    chance, missed, tried, edited = Random(seed()), [], set(), 0
    with as_superuser():
        columns = ledger_columns()
        for chosen in turns(columns, chance):
            if is_time_up():
                break
            edits, misfits = edit_some(chosen, chance, service)
            edited += len(edits)
            count_in_tally("bytes that the database itself keeps", len(chosen) - len(edits))
            for edit in edits:
                tried.add(edit.column)
                count_in_tally("bytes of the ledger edited")
                count_in_tally("bytes of the ledger edited: found", bool(misfits))
                count_in_tally("bytes of the ledger edited: located", is_located(edit, misfits))
                if not is_located(edit, misfits):
                    missed.append(f"{edit.column}, byte {edit.place} of {edit.row}: {misfits[:3]}")
    assert missed == []
    left_out = {f"{column.table.rstrip('0123456789')}.{column.name}" for column in set(columns) - tried}
    assert len(left_out) <= repetitions(12, full=0) or left_out == KEPT
    assert edited >= repetitions(15, full=1_000)


@pytest.fixture
def world(service: str, tmp_path: Path) -> Iterator[str]:
    make_world(tmp_path)
    assert misfits_of_every_log() == []
    with as_superuser():
        yield service


def test_each_tampering_is_found_and_its_entry_named(world: str) -> None:
    for tampering in TAMPERINGS:
        with rolled_back():
            with guards_disabled(*tampering.tables, service=world) as admin:
                index = tampering.apply(admin)
            misfits = list(verify_log(LOG).issues)
        count_in_tally("tamperings with records")
        said = [misfit.sentence for misfit in misfits]
        assert any(tampering.says in sentence for sentence in said), f"{tampering.name}: {said}"
        assert index is None or any(misfit.index == index for misfit in misfits), f"{tampering.name}: {said}"
        count_in_tally("tamperings with records: found and located")


@pytest.fixture
def backup(service: str) -> Iterator[str]:
    """A separate database into which the backup is restored."""
    yield "week_old_backup"
    with superuser("postgres") as admin:
        admin.execute("DROP DATABASE IF EXISTS week_old_backup WITH (FORCE)")


def test_a_week_old_backup_is_found_by_the_checkpoint_that_an_inspector_kept(service: str, backup: str) -> None:
    """With everything of that week restored: database, key and the checkpoint kept beside it."""
    harbour_log.opened()
    harbour_log.play(100)
    week_old = harbour_log.sign()
    connection.close()
    with superuser("postgres") as admin:
        make_database(admin, backup, str(connection.settings_dict["NAME"]))
    harbour_log.play(40, first=100)
    inspectors = harbour_log.sign()
    checkpoint_file_path(LOG).write_bytes(week_old)
    with elsewhere(backup):
        assert verify_log(LOG).is_intact, "By itself an old backup is as whole as it was."
        verdict = verify_log(LOG, known_checkpoints=[("the checkpoint that the inspector kept", inspectors)])
    assert [misfit.sentence for misfit in verdict.issues] == [
        "Entries 100 to 139: missing, though covered by the checkpoint that the inspector kept."
    ]
    count_in_tally("week-old backups restored: found, and what is missing named")


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
