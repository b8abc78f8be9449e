"""`make run` from the outside: it starts, stops cleanly, survives SIGKILL, and reports what is wrong."""

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
import redis

from compliance.config.environment import PROJECT
from compliance.config.run.embedded_servers import LOG_BYTES, CannotStart, check_disk
from tests.operations.launcher_process import PATIENCE_SECONDS, Launcher, is_listening, processes_naming

SLEEPER = [sys.executable, "-c", "import time; time.sleep(600)"]
READY = "Fairthrow is at http://localhost"


# Production mode, which needs a mail server.
EARNEST = {"DEMO": "0", "EMAIL_URL": "smtp://mail.example:587"}


@pytest.fixture
def launcher(tmp_path: Path) -> Iterator[Launcher]:
    launcher = Launcher(tmp_path / "data", LOG_LEVEL="INFO", LOG_FORMAT="json")
    launcher.environment |= EARNEST
    yield launcher
    launcher.close()


def until(condition: object, seconds: float = PATIENCE_SECONDS, every: float = 0.1) -> bool:
    assert callable(condition)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(every)
    return False


def test_the_whole_life_of_a_run(launcher: Launcher) -> None:
    """First in earnest, killed at once, then as a demo. A start is dear: two, and much asked of each."""
    launcher.start()
    launcher.wait_until(READY)
    it_comes_back_after_sigkill(launcher)

    launcher.wait_until("inspector@demo.example")
    with floor_at_rest(launcher):
        assert launcher.get("/healthz")[0] == 200
        # Once a second: each readiness check costs the worker time, and ten a second would keep it from its work.
        assert until(lambda: is_ready(launcher), every=1), launcher.output()
        assert "Sign in" in launcher.get("/sign-in/")[1]
        for secret in (launcher.folder / "services.env", launcher.folder / "secret-key"):
            assert stat.S_IMODE(secret.stat().st_mode) == 0o600

        make_servers_logs_too_long(launcher)
        readiness_names_each_part(launcher)
        its_own_log_is_rotated(launcher)
        a_request_id_reaches_the_worker(launcher)
        assert b"\0" not in launcher.log.read_bytes()
        a_second_run_in_the_same_folder_is_refused(launcher)
        commands_work_beside_it(launcher)
        servers_logs_began_anew(launcher)
    it_stops_everything_on_ctrl_c(launcher)


@contextmanager
def floor_at_rest(launcher: Launcher) -> Iterator[None]:
    """The floor process runs but does not play: hundreds of past rounds would have to be audited for nothing."""
    noted = launcher.folder / "run" / "floor.pid"
    assert until(lambda: noted.exists() and noted.read_text()), launcher.output()
    floor = int(noted.read_text())
    os.kill(floor, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(floor, signal.SIGCONT)


def is_ready(launcher: Launcher) -> bool:
    try:
        return launcher.get("/readyz")[0] == 200
    except OSError:
        return False


def readiness_names_each_part(launcher: Launcher) -> None:
    checks = {check["name"] for check in json.loads(launcher.get("/readyz")[1])["checks"]}
    assert {"database", "redis", "worker", "beat", "disk"} <= checks


def its_own_log_is_rotated(launcher: Launcher) -> None:
    """As logrotate's copytruncate does: the next lines of web and worker start the file, without a hole."""
    os.truncate(launcher.log, 0)


def servers_logs(launcher: Launcher) -> tuple[Path, Path]:
    return launcher.folder / "postgres" / "postgres.log", launcher.folder / "valkey" / "valkey.log"


def make_servers_logs_too_long(launcher: Launcher) -> None:
    for log in servers_logs(launcher):
        with log.open("ab") as file:
            file.write(b"long ago\n" * (LOG_BYTES // 9 + 1))


def servers_logs_began_anew(launcher: Launcher) -> None:
    """Truncated while the servers have them open: new lines are there, and earlier ones are in `.1`."""
    postgres, valkey = servers_logs(launcher)
    assert until(lambda: max(log.stat().st_size for log in (postgres, valkey)) < LOG_BYTES)
    services = dict(line.split("=", 1) for line in (launcher.folder / "services.env").read_text().splitlines())
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(services["DATABASE_URL"], dbname="no-such-database")
    with redis.Redis.from_url(services["REDIS_URL"]) as memory:
        memory.config_rewrite()
    for log, said in ((postgres, 'database "no-such-database" does not exist'), (valkey, "CONFIG REWRITE executed")):
        assert until(lambda log=log, said=said: said in log.read_text()), log.read_text()[-1000:]
        assert b"\0" not in log.read_bytes()
        assert b"long ago\n" in log.with_name(f"{log.name}.1").read_bytes()


def a_request_id_reaches_the_worker(launcher: Launcher) -> None:
    assert launcher.post_form("/password/forgotten/", email="inspector@demo.example") == 200
    assert until(lambda: task_lines(launcher)), launcher.output()
    [request] = [line for line in launcher.logged() if line.get("request") == "POST /password/forgotten/"][:1]
    assert {line["request_id"] for line in task_lines(launcher)} == {request["request_id"]}


def task_lines(launcher: Launcher) -> list[dict[str, Any]]:
    name = "compliance.core.accounts.tasks.send_password_reset"
    return [line for line in launcher.logged() if line["event"] == "task_started" and line.get("task") == name]


def a_second_run_in_the_same_folder_is_refused(launcher: Launcher) -> None:
    second = Launcher(launcher.folder)
    second.log = launcher.folder.parent / "second.log"
    second.start()
    assert second.wait() == 1
    assert f"Another run is using {launcher.folder}" in second.output()


def commands_work_beside_it(launcher: Launcher) -> None:
    """`manage.py` in another terminal finds the embedded servers."""
    environment = {"PATH": os.environ["PATH"], "DATA_DIR": str(launcher.folder)}
    command = [sys.executable, "manage.py", "demo", "--sign-ins"]
    done = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True, check=False)
    assert "administrator@demo.example" in done.stdout, done.stderr


def it_comes_back_after_sigkill(launcher: Launcher) -> None:
    """With its data. A process of ours that outlived its launcher is stopped; another process with a reused id is
    not."""
    made_at = when_made(launcher)
    launcher.send(signal.SIGKILL)
    launcher.wait()
    assert until(lambda: not processes_naming(launcher.folder)), processes_naming(launcher.folder)
    orphan = subprocess.Popen([*SLEEPER, str(launcher.folder)], start_new_session=True)
    stranger = subprocess.Popen(SLEEPER)
    try:
        (launcher.folder / "run" / "worker.pid").write_text(f"{orphan.pid}\n")
        (launcher.folder / "run" / "beat.pid").write_text(f"{stranger.pid}\n")
        launcher.log.unlink()
        for name in EARNEST:
            del launcher.environment[name]
        launcher.start()
        launcher.wait_until(READY)
        assert when_made(launcher) == made_at
        assert "Stopped the worker process that a killed run had left behind." in launcher.output()
        assert orphan.wait(60) == -signal.SIGTERM
        assert stranger.poll() is None, "a re-used process id is not ours to stop"
    finally:
        for process in (orphan, stranger):
            process.kill()
            process.wait()


def when_made(launcher: Launcher) -> float:
    """Creation time of the database cluster, which a start without one would change."""
    return (launcher.folder / "postgres" / "cluster" / "PG_VERSION").stat().st_mtime


def it_stops_everything_on_ctrl_c(launcher: Launcher) -> None:
    launcher.send(signal.SIGINT)
    assert launcher.wait() == 0
    assert processes_naming(launcher.folder) == []
    assert not is_listening(launcher.port)
    assert not (launcher.folder / "services.env").exists()


def test_a_taken_port_is_named_with_a_way_out(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        launcher = Launcher(tmp_path / "data", port=taken.getsockname()[1])
        launcher.start()
        assert launcher.wait() == 1
    assert f"Port {launcher.port} on 127.0.0.1 cannot be used: Address already in use." in launcher.output()
    assert f"PORT={launcher.port + 1} make run" in launcher.output()
    assert "Traceback" not in launcher.output()


def test_a_full_disk_is_named_with_a_way_out(tmp_path: Path) -> None:
    with pytest.raises(CannotStart, match=r"is full: .* set DATA_DIR to a folder on another disk"):
        check_disk(tmp_path, needed_bytes=2**62)
    check_disk(tmp_path, needed_bytes=1)


def test_nonsense_in_the_environment_is_named(tmp_path: Path) -> None:
    launcher = Launcher(tmp_path / "data", PORT="eighty")
    launcher.start()
    assert launcher.wait() == 1
    assert "PORT is 'eighty': expected a whole number from 1 to 65535." in launcher.output()
    assert "Traceback" not in launcher.output()
