"""Starts PostgreSQL and Valkey for a test run, before Django reads its settings; loaded by `-p tests.servers`.

Workers of pytest-xdist inherit the addresses. With DATABASE_URL set, nothing is started.
"""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from compliance.config.environment import PROJECT
from compliance.config.processes import command_line
from compliance.config.servers import APP_ROLE, OWNER_ROLE, Postgres, Valkey

RUNS = PROJECT / ".data" / "test"
# The tests throw their database away; they need not wait for the disk, nor make their random passwords hard to guess.
FAST = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "scram_iterations=1")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Iterator[None]:
    if "DATABASE_URL" not in os.environ:
        start(early_config)
    yield


def start(config: pytest.Config) -> None:
    remove_dead_runs()
    write_bytecode()
    folder = RUNS / str(os.getpid())
    postgres, valkey = Postgres(folder / "postgres", *FAST), Valkey(folder / "valkey")
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    for server in (postgres, valkey):
        config.add_cleanup(server.stop)
        server.start()
    os.environ.update(addresses(folder, postgres, valkey))


def write_bytecode() -> None:
    """Whatever the environment says: each process that a run starts would compile every module anew."""
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def addresses(folder: Path, postgres: Postgres, valkey: Valkey) -> dict[str, str]:
    """Where the service finds its servers and its files."""
    return {
        "DATA_DIR": str(folder),
        "DATABASE_URL": postgres.url(APP_ROLE),
        "DATABASE_OWNER_URL": postgres.url(OWNER_ROLE),
        "TEST_SUPERUSER_URL": postgres.superuser_url(),
        "REDIS_URL": valkey.url(),
        "SECRET_KEY": "tests",
        "DEMO": "1",
        "LOG_LEVEL": "WARNING",
    }


def remove_dead_runs() -> None:
    for folder in RUNS.glob("*"):
        if folder.name.isdigit() and "pytest" not in command_line(int(folder.name)):
            _stop_servers_of(folder)
            shutil.rmtree(folder, ignore_errors=True)


def _stop_servers_of(folder: Path) -> None:
    import signal

    from compliance.config.processes import stop_leftover

    stop_leftover(folder / "postgres" / "cluster" / "postmaster.pid", folder / "postgres", signal.SIGINT)
    stop_leftover(folder / "valkey" / "valkey.pid", folder / "valkey", signal.SIGTERM)
