"""Starts PostgreSQL and Valkey for a test run, before Django reads its settings; loaded by `-p tests.servers`. Workers
of pytest-xdist inherit the addresses; with DATABASE_URL set nothing is started. A migrated cluster is cached until a
migration changes; each run works on a copy.
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
# Test data is thrown away: no waiting for the disk, and no slow hashing of random passwords.
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
        # Atomic, because another run may be creating it too.
        copy_cluster(folder, folder.with_name("migrated"))
        folder.with_name("migrated").rename(kept)
    else:
        copy_cluster(kept, folder)


def copy_cluster(source: Path, target: Path) -> None:
    """Keeps the owner of the cluster's files, which Python's copy functions would not."""
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
    """Overrides the environment, because otherwise each process of a run would compile every module again."""
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def addresses(folder: Path, postgres: Postgres, valkey: Valkey) -> dict[str, str]:
    """Environment variables with the servers' addresses and the service's folders."""
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
