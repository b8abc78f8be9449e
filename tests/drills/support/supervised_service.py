"""The whole service in its own folder, as an operator runs it: a supervisor restarts each process.

PostgreSQL with fsync on, Valkey, and the Procfile's web, worker and beat. Nothing is left behind.
"""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg

from compliance.config.environment import PROJECT, VARIABLES
from compliance.config.run.child_processes import dies_with_parent
from compliance.config.run.embedded_servers import APP_ROLE, DATABASE, OWNER_ROLE, Postgres, Valkey, free_port
from compliance.config.run.launcher import PROCFILE
from compliance.core.web.files.key_files import load_or_create_secret

# Small enough for the WAL to fit on a small volume.
POSTGRES_OPTIONS = ("max_wal_size=96MB", "min_wal_size=32MB", "checkpoint_timeout=60s")
PROCESSES = ("web", "worker", "beat")
RESTART_SECONDS = 0.3
STOP_SECONDS = 20.0
Start = Callable[[], "subprocess.Popen[bytes]"]


def process_tree(pid: int) -> list[int]:
    """A process and its descendants, parents first."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError, ValueError, IndexError):
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                children.setdefault(parent, []).append(int(entry.name))
    found, waiting = [], [pid]
    while waiting:
        one = waiting.pop(0)
        found.append(one)
        waiting += children.get(one, [])
    return found


def signal_all(pids: list[int], number: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


class Supervisor(threading.Thread):
    """Restarts one program until told to stop. Exit status 0 means that it is done."""

    def __init__(self, name: str, start: Start) -> None:
        super().__init__(name=f"supervisor of {name}", daemon=True)
        self.what, self._start, self._enough = name, start, threading.Event()
        self.process: subprocess.Popen[bytes] | None = None
        self.starts = 0
        self.is_done = False

    def run(self) -> None:
        while not self._enough.is_set():
            try:
                self.process = self._start()
                self.starts += 1
                self.is_done = self.process.wait() == 0
                if self.is_done:
                    return
            except Exception as error:
                # Such as a full disk: an operator's supervisor keeps trying too.
                print(f"  {self.what} cannot start yet: {str(error).splitlines()[:1]}", flush=True)
            self._enough.wait(RESTART_SECONDS)

    def pids(self) -> list[int]:
        """Of the whole process tree, while it lives."""
        process = self.process
        return process_tree(process.pid) if process is not None and process.poll() is None else []

    def stop(self, number: signal.Signals = signal.SIGTERM) -> None:
        self._enough.set()
        pids = self.pids()
        signal_all(pids, signal.SIGCONT)
        signal_all(pids[:1], number)
        self.join(STOP_SECONDS)
        if self.process is not None:
            # Kill whatever it left behind: each has its own session, and so its own process group.
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
        self.join(STOP_SECONDS)


class Service:
    """`folder` is its DATA_DIR. `environment` overrides defaults."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.folder = folder
        self.port = free_port()
        self.postgres = Postgres(folder / "postgres", *POSTGRES_OPTIONS, port=free_port())
        self.valkey = Valkey(folder / "valkey", port=free_port())
        self.log = folder / "service.log"
        self.wanted = environment
        self.supervisors: dict[str, Supervisor] = {}

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def environment(self) -> dict[str, str]:
        """What its processes read: nothing of the drill's own environment."""
        kept = {name: value for name, value in os.environ.items() if name not in VARIABLES}
        kept |= {name: variable.default for name, variable in VARIABLES.items()}
        kept |= {
            "DATA_DIR": str(self.folder),
            "PORT": str(self.port),
            "DATABASE_URL": self.postgres.url(APP_ROLE),
            "DATABASE_OWNER_URL": self.postgres.url(OWNER_ROLE),
            "REDIS_URL": self.valkey.url(),
            "SECRET_KEY": load_or_create_secret(self.folder / "secret-key"),
            "DEMO": "1",
            "LOG_LEVEL": "WARNING",
            "DJANGO_SETTINGS_MODULE": "compliance.config.settings",
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
        }
        return kept | self.wanted

    def start_servers(self) -> None:
        for name, server in (("postgres", self.postgres), ("valkey", self.valkey)):
            self.supervise(name, _start_server(server))
        self.wait_for("servers", self._do_servers_answer, 90)

    def start_processes(self, *names: str) -> None:
        """The named processes, or all."""
        (self.folder / "run").mkdir(exist_ok=True)
        for name, command in procfile().items():
            if name in (names or PROCESSES):
                self.supervise(name, lambda command=command: self.popen(["sh", "-c", command]))  # type: ignore[misc]

    def supervise(self, name: str, start: Start) -> Supervisor:
        self.supervisors[name] = Supervisor(name, start)
        self.supervisors[name].start()
        return self.supervisors[name]

    def popen(self, command: list[str]) -> "subprocess.Popen[bytes]":
        with self.log.open("ab") as log:
            return subprocess.Popen(
                command,
                cwd=PROJECT,
                env=self.environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=dies_with_parent(signal.SIGKILL),
            )

    def manage(self, *words: str, seconds: float = 900) -> "subprocess.CompletedProcess[str]":
        return self.run([sys.executable, "manage.py", *words], seconds)

    def run(self, command: list[str], seconds: float = 900) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            command, cwd=PROJECT, env=self.environment(), capture_output=True, text=True, timeout=seconds, check=False
        )

    def starts(self) -> Counter[str]:
        return Counter({name: one.starts for name, one in self.supervisors.items()})

    def connect(self) -> "psycopg.Connection[tuple[object, ...]]":
        """As a superuser, to inspect the database."""
        return psycopg.connect(self.postgres.superuser_url(DATABASE), autocommit=True, connect_timeout=5)

    def wait_for(self, what: str, is_so: Callable[[], bool], seconds: float, every: float = 0.25) -> None:
        until = time.monotonic() + seconds
        while not is_so():
            if time.monotonic() > until:
                raise TimeoutError(f"{what}: not within {seconds:.0f} s")
            time.sleep(every)

    def _do_servers_answer(self) -> bool:
        try:
            self.connect().close()
            return self.valkey.port != 0 and bool(self.supervisors["valkey"].pids())
        except psycopg.Error:
            return False

    def answers(self, path: str = "/healthz") -> bool:
        try:
            urllib.request.urlopen(self.address + path, timeout=10).close()  # noqa: S310 - the drill's own service
            return True
        except urllib.error.HTTPError:
            return path == "/healthz"
        except OSError:
            return False

    def stop(self) -> None:
        """Stops the processes before the servers they need."""
        for name, supervisor in reversed(self.supervisors.items()):
            supervisor.stop(signal.SIGINT if name == "postgres" else signal.SIGTERM)
        self.supervisors.clear()


def _start_server(server: Postgres | Valkey) -> Start:
    def start() -> "subprocess.Popen[bytes]":
        server.start()
        assert server.process is not None
        return server.process

    return start


def procfile() -> dict[str, str]:
    lines = PROCFILE.read_text().splitlines()
    return {name: command.strip() for name, _, command in (line.partition(":") for line in lines)}


@contextmanager
def running_service(folder: Path, **environment: str) -> Iterator[Service]:
    """Starts servers and processes; always stops them."""
    service = Service(folder, **environment)
    try:
        service.start_servers()
        service.start_processes()
        service.wait_for("the web server", service.answers, 180)
        yield service
    finally:
        service.stop()


def prepare_world(folder: Path) -> None:
    """The demo's five casinos, one a rule set, with people, rules, tables and controllers; no round played yet."""
    service = Service(folder)
    try:
        service.start_servers()
        done = service.run([sys.executable, "-m", "tests.drills.support.demo_world"])
        if done.returncode:
            raise RuntimeError(f"The drill's world cannot be made:\n{done.stdout}{done.stderr}")
    finally:
        service.stop()


def copy_world(world: Path, folder: Path) -> None:
    """The same casinos, keys and passwords again. Keeps the owner of PostgreSQL's files."""
    subprocess.run(["cp", "-a", f"{world}/.", str(folder)], check=True)


@contextmanager
def small_volume(folder: Path, megabytes: int) -> Iterator[bool]:
    """Mounts a volume of that size there; yields False where that is not permitted."""
    folder.mkdir(parents=True, exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=755", "tmpfs", str(folder)]
    is_mounted = shutil.which("mount") is not None and subprocess.run(command, capture_output=True).returncode == 0
    try:
        yield is_mounted
    finally:
        if is_mounted:
            subprocess.run(["umount", "-l", str(folder)], capture_output=True, check=False)
