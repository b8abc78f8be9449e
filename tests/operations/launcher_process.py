"""Runs the launcher of `make run` in its own folder, as a person would from a terminal."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any

from compliance.config.environment import PROJECT, VARIABLES
from compliance.config.run.embedded_servers import free_port

# A first start migrates an empty database, which takes minutes on a busy machine.
PATIENCE_SECONDS = 900


class Launcher:
    def __init__(self, folder: Path, port: int | None = None, **environment: str) -> None:
        self.folder = folder
        self.port = port or free_port()
        self.environment = environment
        self.log = folder.parent / f"{folder.name}.log"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        environment = {name: value for name, value in os.environ.items() if name not in VARIABLES}
        environment |= {"PORT": str(self.port), "DATA_DIR": str(self.folder), "PYTHONUNBUFFERED": "1"}
        environment |= {"WEB_WORKERS": "1", "WORKER_PROCESSES": "1"} | self.environment
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "compliance.config.run.launcher"],
                cwd=PROJECT,
                env=environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def wait_until(self, text: str, seconds: float = PATIENCE_SECONDS) -> float:
        """Seconds until the launcher printed the text (or fails with what it printed instead)."""
        begun = time.monotonic()
        while time.monotonic() < begun + seconds:
            if text in self.output():
                return time.monotonic() - begun
            assert self.process is not None
            assert self.process.poll() is None, self.output()
            time.sleep(0.05)
        raise AssertionError(f"{text!r} did not appear:\n{self.output()}")

    def output(self) -> str:
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def get(self, path: str) -> tuple[int, str]:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=60) as answer:
            return answer.status, answer.read().decode()

    def post_form(self, path: str, **fields: str) -> int:
        """Opens the page, fills in its form and sends it, as a browser without JavaScript would."""
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        address = f"http://127.0.0.1:{self.port}{path}"
        page = browser.open(address, timeout=60).read().decode()
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
        assert token, page
        form = urllib.parse.urlencode({"csrfmiddlewaretoken": token[1], **fields}).encode()
        with browser.open(address, form, timeout=60) as answer:
            status: int = answer.status
        return status

    def logged(self) -> list[dict[str, Any]]:
        """The structured lines of the log."""
        return [json.loads(line) for line in self.output().splitlines() if line.startswith("{")]

    def send(self, number: signal.Signals) -> None:
        assert self.process is not None
        self.process.send_signal(number)

    def wait(self, seconds: float = PATIENCE_SECONDS) -> int:
        assert self.process is not None
        return self.process.wait(seconds)

    def close(self) -> None:
        """Stops everything, whatever the test did."""
        if self.process and self.process.poll() is None:
            self.send(signal.SIGTERM)
            self.wait()
        for pid in processes_naming(self.folder):
            os.kill(pid, signal.SIGKILL)


def processes_naming(folder: Path) -> list[int]:
    """Live processes whose command line names the folder."""
    found = []
    for entry in Path("/proc").iterdir():
        if re.fullmatch(r"\d+", entry.name) and int(entry.name) != os.getpid():
            try:
                line = (entry / "cmdline").read_bytes().decode(errors="replace")
            except OSError:
                continue
            if str(folder) in line:
                found.append(int(entry.name))
    return found


def is_listening(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
