"""Restores a backup into an empty database, migrates it, verifies the ledger against checkpoints, halts every log."""

import os
import shutil
import tarfile
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import connection

from compliance.config.backups.backup import DUMP, FILES, data_folders
from compliance.config.backups.manifest import BackupManifest, read_manifest
from compliance.config.backups.postgres_programs import BackupFailed, connection_arguments, find_program, run_program
from compliance.config.database_roles import as_owner
from compliance.config.environment import DatabaseAddress
from rounds.ledger import every_log, maintenance, signing, verify, verify_log
from rounds.transparency_log import errors, formats


def restore_backup(
    *, backup: Path, owner: DatabaseAddress, now: datetime, known_checkpoints: Sequence[bytes] = ()
) -> list[verify.VerificationResult]:
    """Returns the verdict on each log. Refuses unless database and folders are empty.

    Every log is read-only afterwards, until a person has recorded what was lost. `known_checkpoints` are checkpoints
    kept outside the backup."""
    manifest = read_manifest(backup)
    _require_same_roles(manifest, owner)
    _require_empty_target()
    load_dump(backup / DUMP, owner)
    unpack_files(backup / FILES)
    _import_retired_keys(manifest)
    connection.close()
    call_command("migrate", verbosity=0, interactive=False)
    verdicts = verify_restored_logs(manifest)
    halt_every_log(now=now, known_checkpoints=known_checkpoints, manifest=manifest)
    return verdicts


def halt_every_log(
    *, now: datetime, known_checkpoints: Sequence[bytes], manifest: BackupManifest | None = None
) -> None:
    """Uses the available keys, or those in the backup's manifest. Refuses, after halting, a checkpoint that no log
    signed."""
    strange = list(known_checkpoints)
    for log in every_log():
        keys = _known_keys(manifest, log)
        own = {note: size for note in known_checkpoints if keys and (size := _signed_size(note, keys)) is not None}
        maintenance.halt_restored_log(log=log, note=max(own, key=own.__getitem__, default=None), keys=keys, now=now)
        strange = [note for note in strange if note not in own]
    for note in strange:
        first = note.partition(b"\n")[0].decode(errors="replace")
        raise BackupFailed(f"Restored, and read-only; but the checkpoint of {first!r} was signed by no log here.")


def _known_keys(manifest: BackupManifest | None, log: str) -> signing.KnownKeys | None:
    if Path(settings.LEDGER_KEY_FILE).is_file():
        return signing.known_keys_for(log)
    key = _verifier_key(manifest, log) if manifest else None
    return signing.KnownKeys(key, signing.retired_keys_for(key.name)) if key else None


def _signed_size(note: bytes, keys: signing.KnownKeys) -> int | None:
    try:
        return keys.open_checkpoint(note).head.size
    except errors.NoteError:
        return None


def _require_same_roles(manifest: BackupManifest, owner: DatabaseAddress) -> None:
    """The dump grants privileges by role name."""
    here = {"owner": owner.user, "app": connection.settings_dict["USER"]}
    if here != manifest.roles:
        raise BackupFailed(
            f"The backup was made with the roles {_list_roles(manifest.roles)}; here they are {_list_roles(here)}. "
            "Make the database with roles of the same names, as the help page on production says."
        )


def _list_roles(roles: dict[str, str]) -> str:
    return " and ".join(f"{name} ({what})" for what, name in sorted(roles.items(), reverse=True))


def _require_empty_target() -> None:
    with as_owner(), connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
    if tables:
        raise BackupFailed(
            f"The database {connection.settings_dict['NAME']} is not empty: it holds {len(tables)} tables. "
            "Restore into a new one; a ledger is never written over another."
        )
    for folder in data_folders().values():
        if folder.is_dir() and any(folder.iterdir()):
            raise BackupFailed(f"{folder} is not empty. Restore into a new folder: set DATA_DIR.")


def load_dump(path: Path, owner: DatabaseAddress) -> None:
    """In one transaction."""
    command = [find_program("pg_restore"), *connection_arguments(owner), "--no-owner"]
    run_program([*command, "--single-transaction", f"--dbname={owner.name}", str(path)], owner)


def unpack_files(path: Path) -> None:
    """Only files and folders below the data folders. Own code, because tarfile's filters came with Python 3.11.4."""
    with tarfile.open(path) as archive:
        for member in archive:
            top, _, rest = member.name.partition("/")
            folder = data_folders().get(top)
            if folder is not None and rest:
                _unpack_member(archive, member, folder.resolve(), rest)


def _unpack_member(archive: tarfile.TarFile, member: tarfile.TarInfo, folder: Path, name: str) -> None:
    target = (folder / name).resolve()
    if not target.is_relative_to(folder) or not (member.isfile() or member.isdir()):
        raise BackupFailed(f"The backup has something that no backup has: {member.name}.")
    if member.isdir():
        target.mkdir(parents=True, exist_ok=True)
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    content = archive.extractfile(member)
    assert content is not None
    with content, target.open("xb") as file:
        shutil.copyfileobj(content, file)
    target.chmod(member.mode & 0o755)
    os.utime(target, (member.mtime, member.mtime))


def _import_retired_keys(manifest: BackupManifest) -> None:
    """Public keys, needed to verify what was signed before a key rotation."""
    if manifest.retired_keys and not signing.retired_keys_path().exists():
        signing.retired_keys_path().parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        signing.retired_keys_path().write_text(manifest.retired_keys)


def verify_restored_logs(manifest: BackupManifest) -> list[verify.VerificationResult]:
    """With the log's own key if available, else with the verifier key in the manifest."""
    has_key = Path(settings.LEDGER_KEY_FILE).is_file()
    return [
        verify_log(
            log,
            key=None if has_key else _verifier_key(manifest, log),
            known_checkpoints=_manifest_checkpoint(manifest, log),
            processes=verify.cpu_count(),
        )
        for log in every_log()
    ]


def _verifier_key(manifest: BackupManifest, log: str) -> formats.VerifierKey | None:
    named = manifest.verifier_keys.get(log)
    return formats.VerifierKey.parse(named) if named else None


def _manifest_checkpoint(manifest: BackupManifest, log: str) -> Iterable[tuple[str, bytes]]:
    note = manifest.checkpoints.get(log)
    return [("the checkpoint in the backup's manifest", note.encode())] if note else []
