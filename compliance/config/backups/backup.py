"""Makes a backup: a folder with a dump, the uploaded and generated files, and the checkpoints to verify it against."""

import os
import shutil
import tarfile
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.db import connection

from compliance.config.backups.manifest import BackupManifest, sha256_of
from compliance.config.backups.postgres_programs import BackupFailed, connection_arguments, find_program, run_program
from compliance.config.environment import DatabaseAddress
from compliance.core.web.files.atomic_write import atomic_writer
from rounds.ledger import LogReadOnly, every_log, signing
from rounds.transparency_log.errors import LedgerError

DUMP, FILES = "database.dump", "files.tar"


def make_backup(*, into: Path, owner: DatabaseAddress, now: datetime) -> Path:
    """Returns the backup's folder. It is renamed to its final name only when complete."""
    finished = into / f"fairthrow-{now:%Y%m%dT%H%M%SZ}"
    if finished.exists():
        raise BackupFailed(f"There is a backup of this second already: {finished}.")
    half_made = into / f".{finished.name}.new"
    shutil.rmtree(half_made, ignore_errors=True)
    half_made.mkdir(mode=0o700, parents=True)
    try:
        _write_backup_files(half_made, owner, now)
        half_made.rename(finished)
    finally:
        shutil.rmtree(half_made, ignore_errors=True)
    return finished


def _write_backup_files(folder: Path, owner: DatabaseAddress, now: datetime) -> None:
    _sign_every_log(now)
    # Checkpoints before the dump, so that the dump holds at least what they sign. Files after it, so that every file
    # the dump names is there.
    checkpoints = {
        log: note.decode() for log in every_log() if (note := signing.newest_checkpoint_note(log)) is not None
    }
    dump_database(folder / DUMP, owner)
    archive_files(folder / FILES)
    app = connection.settings_dict["USER"]
    BackupManifest(
        made_at=now.isoformat(),
        server=_server_version(),
        roles={"owner": owner.user, "app": app},
        checkpoints=checkpoints,
        verifier_keys=_verifier_keys(),
        retired_keys=signing.retired_keys_path().read_text() if signing.retired_keys_path().exists() else "",
        files={name: sha256_of(folder / name) for name in (DUMP, FILES)},
    ).write(folder)


def _sign_every_log(now: datetime) -> None:
    """Logs whose key is not available or that are read-only are backed up unsigned."""
    for log in every_log():
        with suppress(LedgerError, LogReadOnly):
            signing.sign_log(log, now)


def _verifier_keys() -> dict[str, str]:
    """Empty if the key is not available: a restore then needs the key or an explicit verifier key."""
    try:
        return {log: str(signing.verifier_key_for(log)) for log in every_log()}
    except LedgerError:
        return {}


def dump_database(path: Path, owner: DatabaseAddress) -> None:
    """A consistent snapshot of the whole database while the service runs, made as the owner of the tables."""
    command = [find_program("pg_dump"), *connection_arguments(owner), "--format=custom"]
    run_program([*command, "--compress=6", "--no-sync", f"--file={path}", owner.name], owner)
    path.chmod(0o600)
    with path.open("rb") as file:
        os.fsync(file.fileno())


def data_folders() -> dict[str, Path]:
    """Folders that cannot be recreated. Evidence bundles are left out, because they can be exported again."""
    return {"uploads": Path(settings.MEDIA_ROOT), "reports": Path(settings.REPORTS_DIR)}


def archive_files(path: Path) -> None:
    with atomic_writer(path) as file, tarfile.open(fileobj=file, mode="w") as archive:
        for name, folder in data_folders().items():
            if folder.is_dir():
                archive.add(folder, name, filter=_strip_ownership)


def _strip_ownership(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """Only files and folders, without user and group."""
    if not (member.isfile() or member.isdir()):
        return None
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member


def _server_version() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version")
        [version] = cursor.fetchone()
    return str(version)
