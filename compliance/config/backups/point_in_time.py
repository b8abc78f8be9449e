"""Point-in-time recovery: base backups and the write-ahead log, to any instant or to the last commit received.

Needs a role with REPLICATION; the embedded server's superuser has it.
"""

import json
import os
import pwd
import shutil
import signal
import subprocess
from datetime import datetime
from pathlib import Path

from compliance.config.backups.manifest import sha256_of
from compliance.config.backups.postgres_programs import (
    BackupFailed,
    connection_arguments,
    find_program,
    password_environment,
    run_program,
)
from compliance.config.environment import DatabaseAddress
from compliance.config.run.child_processes import dies_with_parent

# A finished segment, or the partial one that was being received when the server was lost.
RESTORE_COMMAND = 'cp "{wal}/%f" "%p" || cp "{wal}/%f.partial" "%p"'


def make_base_backup(*, into: Path, replication: DatabaseAddress, now: datetime) -> Path:
    """Copies the whole cluster with the WAL it needs, and verifies the copy against the server's manifest."""
    finished = into / f"base-{now:%Y%m%dT%H%M%SZ}"
    if finished.exists():
        raise BackupFailed(f"There is a base backup of this second already: {finished}.")
    into.mkdir(mode=0o700, parents=True, exist_ok=True)
    half_made = into / f".{finished.name}.new"
    shutil.rmtree(half_made, ignore_errors=True)
    try:
        command = [find_program("pg_basebackup"), *connection_arguments(replication)]
        command += [f"--pgdata={half_made}", "--format=plain", "--wal-method=stream", "--checkpoint=fast"]
        run_program([*command, "--manifest-checksums=SHA256"], replication)
        check_base_backup(half_made)
        half_made.rename(finished)
    finally:
        shutil.rmtree(half_made, ignore_errors=True)
    return finished


def check_base_backup(base: Path) -> None:
    """Compares every file with PostgreSQL's own manifest. pg_verifybackup is not in every distribution."""
    try:
        listed = json.loads((base / "backup_manifest").read_bytes())["Files"]
    except (OSError, ValueError, KeyError) as error:
        raise BackupFailed(f"There is no base backup in {base}: its list of files cannot be read.") from error
    for one in listed:
        path = base / one["Path"]
        if not path.is_file() or sha256_of(path) != one["Checksum"]:
            raise BackupFailed(f"{one['Path']} in {base} is missing or damaged: use another base backup.")


def receive_wal(*, into: Path, replication: DatabaseAddress) -> "subprocess.Popen[bytes]":
    """Starts pg_receivewal with --synchronous: each commit is flushed here before it is confirmed."""
    into.mkdir(mode=0o700, parents=True, exist_ok=True)
    command = [find_program("pg_receivewal"), *connection_arguments(replication)]
    return subprocess.Popen(  # noqa: S603 - PostgreSQL's own program, its arguments a list
        [*command, f"--directory={into}", "--synchronous"],
        env=password_environment(replication),
        stdin=subprocess.DEVNULL,
        preexec_fn=dies_with_parent(signal.SIGINT),
    )


def prepare_recovery(*, base: Path, wal: Path, cluster: Path, until: datetime | None = None) -> None:
    """Lays out a cluster that recovers when it is started: to the instant, or to the end of the WAL."""
    check_base_backup(base)
    if cluster.exists():
        raise BackupFailed(f"{cluster} is there already. Recover into a new folder: set DATA_DIR.")
    shutil.copytree(base, cluster, symlinks=True)
    cluster.chmod(0o700)
    received = cluster / "received_wal"
    shutil.copytree(wal, received)
    lines = [f"restore_command = '{RESTORE_COMMAND.format(wal=received)}'", "recovery_target_action = 'promote'"]
    # No connections until recovery is complete: a hot standby would answer, but refuse writes.
    lines.append("hot_standby = 'off'")
    if until is not None:
        lines.append(f"recovery_target_time = '{until.isoformat()}'")
    with (cluster / "postgresql.auto.conf").open("a") as file:
        file.writelines(f"{line}\n" for line in lines)
    (cluster / "recovery.signal").touch()
    _chown_to_server_user(cluster)


def _chown_to_server_user(cluster: Path) -> None:
    """PostgreSQL refuses to run as root, so the embedded server runs as `nobody` there and must own its files."""
    if os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        for path in (cluster, *cluster.rglob("*")):
            os.chown(path, nobody.pw_uid, nobody.pw_gid, follow_symlinks=False)
