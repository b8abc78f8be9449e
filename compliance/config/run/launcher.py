"""`make run`: starts embedded servers unless addresses are given, migrates, loads the demo, runs the Procfile by
honcho.

Runs before Django, because it sets the environment that Django's settings read.
"""

import fcntl
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from compliance.config import environment
from compliance.config.environment import PROJECT, VARIABLES, BadEnvironment, read, read_flag, read_int
from compliance.config.run.child_processes import dies_with_parent, stop_leftover_process
from compliance.config.run.embedded_servers import (
    APP_ROLE,
    OWNER_ROLE,
    CannotStart,
    Postgres,
    Valkey,
    check_disk,
    rotate_log,
)
from compliance.core.web.files.atomic_write import write_atomically
from compliance.core.web.files.key_files import load_or_create_secret

PROCFILE = PROJECT / "compliance" / "config" / "Procfile"
PROCESSES = ("web", "worker", "beat", "floor")
STARTED_WITHIN_SECONDS = 60
STOPPED_WITHIN_SECONDS = 20
STOP_ATTEMPTS = 4
LOG_ROTATION_SECONDS = 5.0


def main() -> int:
    # Handle both explicitly: a shell starts background jobs with SIGINT ignored.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    try:
        folder = prepare_folder()
        with lock_data_folder(folder):
            check_port(read("HOST"), read_int("PORT", 1, 65535))
            with running_servers(folder) as addresses:
                set_child_environment(folder, addresses)
                return run_processes(sign_ins=run_prepare_command())
    except (CannotStart, BadEnvironment) as error:
        print(f"\nFairthrow cannot start.\n{error}\n", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"\nFairthrow cannot start.\n{error.strerror}: {error.filename}\n", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def prepare_folder() -> Path:
    folder = environment.data_dir()
    (folder / "run").mkdir(parents=True, exist_ok=True)
    check_disk(folder)
    return folder


@contextmanager
def lock_data_folder(folder: Path) -> Iterator[None]:
    """File lock: one run a data folder. Processes that a killed run left behind are stopped first."""
    with (folder / "run" / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise CannotStart(
                f"Another run is using {folder}. Stop it, or set DATA_DIR and PORT for a second one."
            ) from error
        for name in PROCESSES:
            if stop_leftover_process(folder / "run" / f"{name}.pid", folder, signal.SIGTERM):
                print(f"Stopped the {name} process that a killed run had left behind.")
        yield


def check_port(host: str, port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise CannotStart(
                f"Port {port} on {host} cannot be used: {error.strerror}.\n"
                f"Stop the program that has it, or choose another port: PORT={port + 1} make run"
            ) from error


@contextmanager
def running_servers(folder: Path) -> Iterator[dict[str, str]]:
    """Starts the servers whose addresses the environment does not give, and stops them at the end."""
    addresses: dict[str, str] = {}
    postgres, valkey = Postgres(folder / "postgres"), Valkey(folder / "valkey")
    try:
        if not read("DATABASE_URL"):
            print("Starting PostgreSQL ...", flush=True)
            postgres.start()
            addresses |= {"DATABASE_URL": postgres.url(APP_ROLE), "DATABASE_OWNER_URL": postgres.url(OWNER_ROLE)}
            addresses |= {"SECRET_KEY": read("SECRET_KEY") or load_or_create_secret(folder / "secret-key")}
            addresses |= {"DEMO": "1" if read_flag("DEMO", default=True) else "0"}
        if not read("REDIS_URL"):
            print("Starting the Redis-compatible server ...", flush=True)
            valkey.start()
            addresses |= {"REDIS_URL": valkey.url()}
        yield addresses
    finally:
        valkey.stop()
        postgres.stop()
        (folder / "services.env").unlink(missing_ok=True)


def set_child_environment(folder: Path, addresses: dict[str, str]) -> None:
    """Sets everything the child processes read, defaults included, and writes services.env for `manage.py`
    elsewhere."""
    os.environ.update({name: os.environ.get(name) or variable.default for name, variable in VARIABLES.items()})
    os.environ.update(addresses, DATA_DIR=str(folder), DJANGO_SETTINGS_MODULE="compliance.config.settings")
    # Honcho gives each process its own PORT; this keeps the configured one.
    os.environ["WEB_ADDRESS"] = f"http://{reachable_host()}:{read('PORT')}"
    os.environ["SITE_ADDRESS"] = environment.site_address(is_demo=read_flag("DEMO", default=False))
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    noted = addresses | {"HOST": read("HOST"), "PORT": read("PORT")}
    lines = "".join(f"{name}={value}\n" for name, value in noted.items())
    write_atomically(folder / "services.env", lines.encode())


def run_prepare_command() -> str:
    """Migrates, collects static files, and loads the demo if enabled. Returns the demo's sign-ins."""
    command = [sys.executable, "manage.py", "prepare"]
    done = subprocess.run(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True, check=False)  # noqa: S603 - our own program, no shell
    if done.returncode:
        raise CannotStart("`manage.py prepare` failed; its message is above.")
    return done.stdout.rstrip()


def run_processes(sign_ins: str) -> int:
    honcho = subprocess.Popen(  # noqa: S603 - our own program, no shell
        [
            sys.executable,
            "-m",
            "honcho",
            "--procfile",
            str(PROCFILE),
            "--env",
            os.devnull,
            "start",
            "--no-prefix",
            *(name for name in PROCESSES if name != "floor" or read_flag("DEMO", default=False)),
        ],
        cwd=PROJECT,
        start_new_session=True,
        preexec_fn=dies_with_parent(signal.SIGTERM),
    )
    threading.Thread(target=announce_address, args=(honcho, sign_ins), daemon=True).start()
    threading.Thread(target=rotate_server_logs, args=(Path(read("DATA_DIR")),), daemon=True).start()
    try:
        return honcho.wait()
    except KeyboardInterrupt:
        print("\nStopping ...", flush=True)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        stop_processes(honcho, Path(read("DATA_DIR")))
        return 0


def rotate_server_logs(folder: Path) -> None:
    """Rotates the logs of the embedded servers, for as long as they run."""
    while True:
        for server in (Postgres(folder / "postgres"), Valkey(folder / "valkey")):
            # The disk may be full; the next attempt may succeed.
            with suppress(OSError):
                rotate_log(server.log)
        time.sleep(LOG_ROTATION_SECONDS)


def stop_processes(honcho: "subprocess.Popen[bytes]", folder: Path, patience: float = STOPPED_WITHIN_SECONDS) -> None:
    """Sends SIGTERM several times, then kills. Honcho loses a signal that arrives while it prints."""
    for _ in range(STOP_ATTEMPTS):
        honcho.terminate()
        with suppress(subprocess.TimeoutExpired):
            honcho.wait(patience / STOP_ATTEMPTS)
            break
    else:
        os.killpg(honcho.pid, signal.SIGKILL)
        honcho.wait()
    for name in PROCESSES:
        stop_leftover_process(folder / "run" / f"{name}.pid", folder, signal.SIGTERM)


def reachable_host() -> str:
    return "localhost" if read("HOST") in ("127.0.0.1", "0.0.0.0") else read("HOST")  # noqa: S104 - asks, binds nothing


def announce_address(honcho: "subprocess.Popen[bytes]", sign_ins: str) -> None:
    """Prints the address once the service answers."""
    address = f"{os.environ['WEB_ADDRESS']}/"
    until = time.monotonic() + STARTED_WITHIN_SECONDS
    while time.monotonic() < until and honcho.poll() is None:
        try:
            urllib.request.urlopen(f"{address}healthz", timeout=2).close()  # noqa: S310 - our own address
        except OSError:
            time.sleep(0.1)
            continue
        print(f"\nFairthrow is at {address}   (Ctrl-C stops it; its data stays in {read('DATA_DIR')})", flush=True)
        if sign_ins:
            print(f"\n{sign_ins}\n", flush=True)
        return


if __name__ == "__main__":
    sys.exit(main())
