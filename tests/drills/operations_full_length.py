"""The long part of the operations drill, with `make run` and commands beside it. Too slow for `make test`. Bootstraps a
casino; backs up while it runs; replaces the web server under load; rotates the key; loses the disk; recovers, once to
the last commit and once to an instant.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from compliance.config.environment import PROJECT, VARIABLES
from compliance.config.run.embedded_servers import free_port
from tests.drills.support.full_length import count_in_tally
from tests.operations.launcher_process import Launcher

READY = "Fairthrow is at http://localhost"
PATIENCE = 600
PRODUCTION = {"DEMO": "0", "EMAIL_URL": "smtp://mail.example:587", "LOG_LEVEL": "INFO", "LOG_FORMAT": "json"}


def manage(folder: Path, *command: str, expect: int = 0) -> str:
    """Runs `manage.py` in another process, as in another terminal."""
    done = subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=PROJECT,
        env=environment_of(folder),
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode == expect, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


def environment_of(folder: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    return kept | PRODUCTION | {"DATA_DIR": str(folder), "PORT": str(free_port())}


def verify_verdicts(folder: Path, slug: str) -> None:
    who = f"administrator@{slug}.example"
    government = ("--government-administrators", "gail@inspectorate.example", "glen@inspectorate.example")
    where = ("--slug", slug, "--name", slug.title(), "--time-zone", "UTC")
    manage(folder, "bootstrap", *where, "--administrator", who, *government)


def sizes(folder: Path) -> dict[str, int]:
    verdict = json.loads(manage(folder, "verify_ledger", "--json"))
    assert verdict["ok"]
    return {log["log"]: log["size"] for log in verdict["logs"]}


def wait_for(condition: Callable[[], object], what: str) -> None:
    until = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < until, what
        time.sleep(0.1)


@contextmanager
def receiving_wal(folder: Path, into: Path) -> Iterator[None]:
    process = subprocess.Popen(
        [sys.executable, "manage.py", "backup", str(into), "--wal"],
        cwd=PROJECT,
        env=environment_of(folder),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for(lambda: into.exists() and any(into.glob("*.partial")), "No log is received.")
        yield
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE)


def test_there_and_back_again(tmp_path: Path) -> None:
    data, backups, wal = tmp_path / "data", tmp_path / "backups", tmp_path / "wal"
    launcher = Launcher(data, None, **PRODUCTION)
    try:
        launcher.start()
        launcher.wait_until(READY, PATIENCE)
        verify_verdicts(data, "harbour")
        with receiving_wal(data, wal):
            timed("seconds for a base backup", lambda: manage(data, "backup", str(backups), "--base"))
            timed("seconds for a backup", lambda: manage(data, "backup", str(backups)))
            verify_verdicts(data, "marina")
            before_rotation = datetime.now(UTC)
            manage(data, "rotate_ledger_key", "--reason", "The drill.")
            the_log_can_be_truncated(launcher)
            answered = replace_web_server(data)
            count_in_tally("requests while the web server was replaced", answered)
            count_in_tally("requests not answered then", 0)
            at_the_end = sizes(data)
            launcher.send(signal.SIGKILL)
            launcher.wait()
    finally:
        launcher.close()
    keys = data / "keys"
    shutil.move(keys, tmp_path / "keys")
    shutil.rmtree(data)

    restore_the_dump(tmp_path, backups)
    recover_to_the_last_commit(tmp_path, backups, wal, at_the_end)
    recover_to_an_instant(tmp_path, backups, wal, before_rotation)
    count_in_tally("ways back tried", 3)


def timed(name: str, act: Callable[[], object]) -> None:
    begun = time.monotonic()
    act()
    count_in_tally(name, round(time.monotonic() - begun, 1))


def the_log_can_be_truncated(launcher: Launcher) -> None:
    """As logrotate's copytruncate does: the next lines start the file, without a hole."""
    os.truncate(launcher.log, 0)
    launcher.get("/healthz")
    wait_for(lambda: launcher.log.stat().st_size, "Nothing was logged after the rotation.")
    assert b"\0" not in launcher.log.read_bytes()


def replace_web_server(data: Path) -> int:
    """SIGUSR2, then SIGQUIT, as the help page says; returns how many requests were answered meanwhile, all without
    error."""
    port, pid_file = free_port(), data / "run" / "second-web.pid"
    services = dict(line.split("=", 1) for line in (data / "services.env").read_text().splitlines())
    web = subprocess.Popen(
        [
            Path(sys.executable).parent / "gunicorn",
            "compliance.config.wsgi:application",
            "--preload",
            "--bind",
            f"127.0.0.1:{port}",
            "--worker-class",
            "gthread",
            "--workers",
            "1",
            "--threads",
            "4",
            "--pid",
            str(pid_file),
        ],
        cwd=PROJECT,
        env=environment_of(data) | services | {"DJANGO_SETTINGS_MODULE": "compliance.config.settings"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    successor = 0
    try:
        wait_for(lambda: answers(port), "The web server does not answer.")
        with asking(port) as asked:
            web.send_signal(signal.SIGUSR2)
            fresh = data / "run" / "second-web.pid.2"
            wait_for(lambda: fresh.exists() and fresh.read_text().strip(), "No second master came.")
            successor = int(fresh.read_text())
            wait_for(lambda: has_workers(successor), "The second master has no worker.")
            web.send_signal(signal.SIGQUIT)
            web.wait(PATIENCE)
            reached = len(asked)
            wait_for(lambda: len(asked) > reached + 20, "Nothing is asked any more.")
        assert [one for one in asked if one != "200"] == []
        return len(asked)
    finally:
        for pid in (web.pid if web.poll() is None else 0, successor):
            if pid:
                os.kill(pid, signal.SIGTERM)


def has_workers(pid: int) -> bool:
    return bool(Path(f"/proc/{pid}/task/{pid}/children").read_text().split())


def answers(port: int) -> bool:
    return ask(port) == "200"


def ask(port: int) -> str:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=PATIENCE) as answer:
            return str(answer.status)
    except OSError as error:
        return repr(error)


@contextmanager
def asking(port: int) -> Iterator[list[str]]:
    """Two clients that send one request after the other until the end of the block."""
    heard: list[str] = []
    is_over = threading.Event()

    def visit() -> None:
        while not is_over.is_set():
            heard.append(ask(port))

    visitors = [threading.Thread(target=visit) for _ in range(2)]
    for visitor in visitors:
        visitor.start()
    try:
        yield heard
    finally:
        is_over.set()
        for visitor in visitors:
            visitor.join()


def restore_the_dump(tmp_path: Path, backups: Path) -> None:
    """Without the signing key: verified with the verifier key in the backup, and older than the end."""
    [backup] = backups.glob("fairthrow-*")
    said = manage(tmp_path / "from-dump", "restore", str(backup))
    assert "harbour: whole" in said
    assert "marina" not in said


def recover_to_the_last_commit(tmp_path: Path, backups: Path, wal: Path, at_the_end: dict[str, int]) -> None:
    """Verified with the key and the checkpoint files: no entry is missing. Then it serves."""
    [base] = backups.glob("base-*")
    data = tmp_path / "recovered"
    data.mkdir()
    shutil.copytree(tmp_path / "keys", data / "keys")
    timed(
        "seconds to recover to the last commit and verify",
        lambda: manage(data, "restore", str(base), "--wal", str(wal)),
    )
    launcher = Launcher(data, None, **PRODUCTION)
    try:
        launcher.start()
        launcher.wait_until(READY, PATIENCE)
        now = sizes(data)
    finally:
        launcher.close()
    assert set(now) == set(at_the_end)
    lost = sum(max(0, size - now[log]) for log, size in at_the_end.items())
    count_in_tally("entries recovered to the last commit", sum(at_the_end.values()))
    count_in_tally("entries lost", lost)
    assert lost == 0


def recover_to_an_instant(tmp_path: Path, backups: Path, wal: Path, until: datetime) -> None:
    """Before the key rotation: the retired key is accepted. Later checkpoints are left out."""
    [base] = backups.glob("base-*")
    data = tmp_path / "earlier"
    shutil.copytree(tmp_path / "keys", data / "keys", ignore=shutil.ignore_patterns("checkpoints"))
    said = manage(data, "restore", str(base), "--wal", str(wal), "--until", until.isoformat())
    assert "marina: whole" in said


if __name__ == "__main__":
    sys.exit(pytest.main(["-n0", __file__]))
