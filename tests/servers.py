"""Starts PostgreSQL and Valkey for a test run, before Django reads its settings; loaded by `-p tests.servers`.

Workers of pytest-xdist inherit the addresses. With DATABASE_URL set, nothing is started. A migrated cluster is kept
from run to run, until a migration changes: a run works on a copy.
"""

import hashlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from compliance.config.environment import PROJECT
from compliance.config.run.child_processes import command_line, stop_leftover_process
from compliance.config.run.embedded_servers import APP_ROLE, OWNER_ROLE, Postgres, Valkey

RUNS = PROJECT / ".data" / "test"
# The tests throw their database away; they need not wait for the disk, nor make their random passwords hard to guess.
FAST = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "scram_iterations=1")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Iterator[None]:
    if "DATABASE_URL" not in os.environ:
        start_servers(early_config)
    yield


def start_servers(config: pytest.Config) -> None:
    remove_dead_runs()
    write_bytecode()
    folder = RUNS / str(os.getpid())
    copy_migrated_cluster(folder / "postgres")
    postgres, valkey = Postgres(folder / "postgres", *FAST), Valkey(folder / "valkey")
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    for server in (postgres, valkey):
        config.add_cleanup(server.stop)
        server.start()
    os.environ.update(addresses(folder, postgres, valkey))


def copy_migrated_cluster(folder: Path) -> None:
    kept = RUNS / f"migrated-{digest_of_migrations()}"
    if not kept.exists():
        for former in RUNS.glob("migrated-*"):
            shutil.rmtree(former, ignore_errors=True)
        make_migrated_cluster(folder)
        # Whole or not at all, whoever else is making one.
        copy_cluster(folder, folder.with_name("migrated"))
        folder.with_name("migrated").rename(kept)
    else:
        copy_cluster(kept, folder)


def copy_cluster(source: Path, target: Path) -> None:
    """The cluster's files belong to whoever runs the server, which Python's own copying would not keep."""
    target.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cp", "-a", str(source), str(target)], check=True)


def make_migrated_cluster(folder: Path) -> None:
    postgres = Postgres(folder, *FAST)
    postgres.start()
    try:
        settings = {**os.environ, **database_addresses(postgres), "DATA_DIR": str(folder.parent)}
        settings |= {"SECRET_KEY": "tests", "DEMO": "1", "DJANGO_SETTINGS_MODULE": "compliance.config.settings"}
        subprocess.run([sys.executable, "-m", "tests.template_database"], check=True, cwd=PROJECT, env=settings)
    finally:
        postgres.stop()


def digest_of_migrations() -> str:
    files = sorted(path for path in PROJECT.glob("*/**/migrations/*") if path.suffix in {".py", ".sql"})
    return hashlib.sha256(b"".join(path.name.encode() + path.read_bytes() for path in files)).hexdigest()[:16]


def write_bytecode() -> None:
    """Whatever the environment says: each process that a run starts would compile every module anew."""
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def addresses(folder: Path, postgres: Postgres, valkey: Valkey) -> dict[str, str]:
    """Where the service finds its servers and its files."""
    return {
        **database_addresses(postgres),
        "DATA_DIR": str(folder),
        "REDIS_URL": valkey.url(),
        "SECRET_KEY": "tests",
        "DEMO": "1",
        "LOG_LEVEL": "WARNING",
    }


def database_addresses(postgres: Postgres) -> dict[str, str]:
    return {
        "DATABASE_URL": postgres.url(APP_ROLE),
        "DATABASE_OWNER_URL": postgres.url(OWNER_ROLE),
        "TEST_SUPERUSER_URL": postgres.superuser_url(),
    }


def remove_dead_runs() -> None:
    for folder in RUNS.glob("*"):
        if folder.name.isdigit() and "pytest" not in command_line(int(folder.name)):
            _stop_servers_of(folder)
            shutil.rmtree(folder, ignore_errors=True)


def _stop_servers_of(folder: Path) -> None:
    stop_leftover_process(folder / "postgres" / "cluster" / "postmaster.pid", folder / "postgres", signal.SIGINT)
    stop_leftover_process(folder / "valkey" / "valkey.pid", folder / "valkey", signal.SIGTERM)
