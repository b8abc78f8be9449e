"""A backup restored into an empty database gives the same ledger, used by the same roles; anything else is refused."""

import hashlib
import json
import os
import tarfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from compliance.config.backups.backup import FILES, archive_files, make_backup
from compliance.config.backups.manifest import MANIFEST_NAME, read_manifest
from compliance.config.backups.point_in_time import prepare_recovery
from compliance.config.backups.postgres_programs import BackupFailed
from compliance.config.backups.restore import restore_backup, unpack_files
from compliance.config.management.commands.backup import files_not_included
from rounds.ledger import registry
from rounds.ledger.maintenance.rotate_key import rotate_key
from rounds.ledger.read_only import LogReadOnly
from rounds.ledger.registry import register_projection
from rounds.ledger.signing.checkpoint_file import checkpoint_file_path
from rounds.ledger.signing.checkpoints import create_key_file, sign_log
from rounds.ledger.verify import entry_ranges
from rounds.ledger.verify.check_database_guards import guard_faults
from rounds.ledger.verify.verify_log import verify_log
from tests.fixture_snapshots import create_snapshot_functions
from tests.operations.extra_databases import empty_database, owner_address
from tests.rounds.ledger import harbour_log

NOW = datetime(2026, 11, 16, 9, 30, tzinfo=UTC)


@pytest.fixture
def floor(transactional_db: None, tmp_path: Path, settings: Any) -> Iterator[str]:
    """A log of eleven entries under its second key, an uploaded file and a report."""
    with harbour_log.admin() as admin:
        # The tests' superuser functions exist in no real database, and an owner could not restore them.
        admin.execute("DROP SCHEMA kept CASCADE")
        yield fill_floor(tmp_path, settings)
        create_snapshot_functions(admin)


def fill_floor(tmp_path: Path, settings: Any) -> str:
    settings.LEDGER_KEY_FILE = tmp_path / "keys" / "ledger.key"
    settings.MEDIA_ROOT, settings.REPORTS_DIR = tmp_path / "uploads", tmp_path / "reports"
    create_key_file(settings.LEDGER_KEY_FILE)
    for folder, name in ((settings.MEDIA_ROOT, "paper.pdf"), (settings.REPORTS_DIR, "certificate.pdf")):
        folder.mkdir()
        (folder / name).write_bytes(b"%PDF-1.7 " + name.encode())
    log = harbour_log.opened()
    harbour_log.play(6)
    sign_log(log, NOW)
    rotate_key(reason="By habit.", now=NOW)
    harbour_log.play(4, first=6)
    return log


def test_everything_comes_back_and_a_later_checkpoint_tells_what_did_not(
    floor: str, tmp_path: Path, settings: Any
) -> None:
    backup = make_backup(into=tmp_path / "backups", owner=owner_address(), now=NOW)
    assert backup.name == "fairthrow-20261116T093000Z"
    assert {path.name for path in backup.iterdir()} == {"database.dump", "files.tar", "manifest.json"}
    key = Path(settings.LEDGER_KEY_FILE).read_text()
    assert all(key.encode() not in path.read_bytes() for path in backup.iterdir()), "a backup must not be able to sign"
    harbour_log.play(2, first=10)
    kept = sign_log(floor, NOW)

    old_key = settings.LEDGER_KEY_FILE
    settings.LEDGER_KEY_FILE = tmp_path / "elsewhere" / "ledger.key"
    settings.MEDIA_ROOT, settings.REPORTS_DIR = tmp_path / "uploads-2", tmp_path / "reports-2"
    with empty_database() as database:
        [verdict] = restore_backup(backup=backup, owner=database, now=NOW)
        assert verdict.is_intact, verdict.issues
        assert (verdict.size, verdict.checked["checkpoints"]) == (11, 4)
        assert (tmp_path / "uploads-2" / "paper.pdf").read_bytes() == b"%PDF-1.7 paper.pdf"
        assert (tmp_path / "reports-2" / "certificate.pdf").read_bytes() == b"%PDF-1.7 certificate.pdf"
        assert guard_faults() == []
        with pytest.raises(BackupFailed, match="is not empty: it holds"):
            restore_backup(backup=backup, owner=database, now=NOW)

        settings.LEDGER_KEY_FILE = old_key
        assert checkpoint_file_path(floor).read_bytes() == kept
        late = verify_log(floor)
        assert [one.sentence for one in late.issues] == [
            "Entries 11 to 12: missing, though covered by the last checkpoint kept outside the database."
        ]
        for attempt in (lambda: sign_log(floor, NOW), lambda: harbour_log.play(1, first=10)):
            with pytest.raises(LogReadOnly):
                attempt()


def test_a_long_log_is_verified_by_as_many_processes_as_there_are_processors(
    floor: str, tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is kept beside the entries is compared by whoever reads them, who signs for it."""
    harbour_log.play(600, first=10)
    backup = make_backup(into=tmp_path / "backups", owner=owner_address(), now=NOW)
    settings.MEDIA_ROOT, settings.REPORTS_DIR = tmp_path / "uploads-2", tmp_path / "reports-2"
    readers = tmp_path / "readers"
    readers.mkdir()

    def sign(log: str, first: int, last: int, entries: Any) -> Iterator[tuple[int, str]]:
        (readers / str(os.getpid())).touch()
        yield from ()

    monkeypatch.setattr(registry, "_PROJECTIONS", dict(registry._PROJECTIONS))
    register_projection("who reads", ["test-round"], sign)
    monkeypatch.setattr(entry_ranges, "RANGE_ENTRIES", 256)
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    with empty_database() as database:
        [verdict] = restore_backup(backup=backup, owner=database, now=NOW)
    assert (verdict.is_intact, verdict.size) == (True, 611)
    pids = {int(path.name) for path in readers.iterdir()}
    assert len(pids) == 3
    assert os.getpid() not in pids


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("uploads/../../key", tarfile.REGTYPE),
        ("uploads//etc/key", tarfile.REGTYPE),
        ("uploads/key", tarfile.SYMTYPE),
        ("reports/key", tarfile.LNKTYPE),
        ("reports/key", tarfile.FIFOTYPE),
    ],
)
def test_nothing_is_unpacked_but_files_below_their_folder(
    name: str, kind: bytes, tmp_path: Path, settings: Any
) -> None:
    settings.MEDIA_ROOT, settings.REPORTS_DIR = tmp_path / "in" / "uploads", tmp_path / "in" / "reports"
    forged = tarfile.TarInfo(name)
    forged.type, forged.linkname = kind, "../../secret"
    with tarfile.open(tmp_path / "files.tar", "w") as archive:
        archive.addfile(forged)
    with pytest.raises(BackupFailed, match="something that no backup has"):
        unpack_files(tmp_path / "files.tar")
    assert {path.name for path in tmp_path.rglob("*")} <= {"files.tar", "in", "uploads", "reports"}


def test_a_file_comes_back_with_its_mode_and_time(tmp_path: Path, settings: Any) -> None:
    settings.MEDIA_ROOT, settings.REPORTS_DIR = tmp_path / "uploads", tmp_path / "reports"
    paper = tmp_path / "uploads" / "2026" / "paper.pdf"
    paper.parent.mkdir(parents=True)
    paper.write_bytes(b"%PDF")
    paper.chmod(0o640)
    os.utime(paper, (1_700_000_000, 1_700_000_000))
    archive_files(tmp_path / "files.tar")
    settings.MEDIA_ROOT = tmp_path / "again"
    unpack_files(tmp_path / "files.tar")
    back = tmp_path / "again" / "2026" / "paper.pdf"
    assert (back.read_bytes(), back.stat().st_mode & 0o777, back.stat().st_mtime) == (b"%PDF", 0o640, 1_700_000_000)


def test_a_damaged_backup_is_refused_before_anything_is_written(floor: str, tmp_path: Path) -> None:
    backup = make_backup(into=tmp_path / "backups", owner=owner_address(), now=NOW)
    whole = (backup / FILES).read_bytes()
    (backup / FILES).write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(BackupFailed, match=r"files.tar in .* is missing or damaged"):
        read_manifest(backup)
    (backup / FILES).unlink()
    with pytest.raises(BackupFailed, match=r"files.tar in .* is missing or damaged"):
        read_manifest(backup)
    (backup / MANIFEST_NAME).write_text("{")
    with pytest.raises(BackupFailed, match="the backup is damaged"):
        read_manifest(backup)
    with pytest.raises(BackupFailed, match="There is no backup in"):
        read_manifest(tmp_path)


def test_a_dump_that_fails_leaves_no_backup_behind(floor: str, tmp_path: Path) -> None:
    nobody = owner_address("no_such_database")
    with pytest.raises(BackupFailed, match="pg_dump failed"):
        make_backup(into=tmp_path / "backups", owner=nobody, now=NOW)
    assert list((tmp_path / "backups").iterdir()) == []


def a_base_backup(folder: Path) -> Path:
    """A minimal base backup: one file, and its digest in the manifest."""
    folder.mkdir()
    (folder / "PG_VERSION").write_text("18\n")
    listed = [{"Path": "PG_VERSION", "Checksum": hashlib.sha256(b"18\n").hexdigest()}]
    (folder / "backup_manifest").write_text(json.dumps({"Files": listed}))
    return folder


def test_a_cluster_is_laid_out_to_recover_to_the_instant_or_to_the_end(tmp_path: Path) -> None:
    base, wal = a_base_backup(tmp_path / "base"), tmp_path / "wal"
    wal.mkdir()
    prepare_recovery(base=base, wal=wal, cluster=tmp_path / "one", until=NOW)
    said = (tmp_path / "one" / "postgresql.auto.conf").read_text()
    assert "recovery_target_time = '2026-11-16T09:30:00+00:00'\n" in said
    assert "/one/received_wal/%f.partial" in said
    assert (tmp_path / "one" / "recovery.signal").exists()
    prepare_recovery(base=base, wal=wal, cluster=tmp_path / "two")
    assert "recovery_target_time" not in (tmp_path / "two" / "postgresql.auto.conf").read_text()
    with pytest.raises(BackupFailed, match="two is there already"):
        prepare_recovery(base=base, wal=wal, cluster=tmp_path / "two")


def test_a_damaged_base_backup_is_refused(tmp_path: Path) -> None:
    base = a_base_backup(tmp_path / "base")
    (base / "PG_VERSION").write_text("19\n")
    with pytest.raises(BackupFailed, match=r"PG_VERSION in .* is missing or damaged"):
        prepare_recovery(base=base, wal=tmp_path, cluster=tmp_path / "one")
    with pytest.raises(BackupFailed, match="There is no base backup"):
        prepare_recovery(base=tmp_path, wal=tmp_path, cluster=tmp_path / "one")
    assert not (tmp_path / "one").exists()


def test_each_way_says_which_files_it_leaves_out(settings: Any) -> None:
    """A base backup is PostgreSQL's own: uploads and reports lie beside it."""
    for folder in (settings.MEDIA_ROOT, settings.REPORTS_DIR):
        assert str(folder) in files_not_included(is_base=True)
        assert str(folder) not in files_not_included(is_base=False)
    for key in (settings.LEDGER_KEY_FILE, settings.REPORT_KEY_FILE, settings.WEBHOOK_KEY_FILE):
        assert str(key) in files_not_included(is_base=True)
        assert str(key) in files_not_included(is_base=False)
