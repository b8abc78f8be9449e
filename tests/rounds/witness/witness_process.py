"""A witness as an inspectorate runs it: in its own process, without PostgreSQL or secrets of the service."""

from __future__ import annotations

import http.client
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from compliance.config.environment import PROJECT

NOWHERE = "postgres://nobody:nothing@127.0.0.1:1/nowhere"
ENVIRONMENT = {"PATH": os.environ["PATH"], "DATABASE_URL": NOWHERE, "PYTHONUNBUFFERED": "1"}
NAME = "inspectorate.example/witness"
SECONDS = 30


class Said(NamedTuple):
    status: int
    out: str
    error: str


class Answer(NamedTuple):
    status: int
    kind: str
    body: bytes


@dataclass(frozen=True)
class Inspectorate:
    """The folder of one witness, and its commands."""

    folder: Path

    @property
    def state(self) -> Path:
        return self.folder / "witness.sqlite3"

    @property
    def key(self) -> Path:
        return self.folder / "witness.key"

    @property
    def files(self) -> list[str]:
        return ["--state", str(self.state), "--key", str(self.key)]

    def init(self, log: str, url: str = "http://127.0.0.1:1") -> Said:
        return run("init", *self.files, "--log", log, "--url", url, "--name", NAME)

    def verifier_key(self) -> str:
        return run("key", "--key", str(self.key)).out.strip()

    def once(self) -> Said:
        return run("once", *self.files)

    def status(self) -> Said:
        return run("status", "--state", str(self.state))

    @contextmanager
    def serving(self, program: Sequence[str] = ("-m", "rounds.witness")) -> Iterator[int]:
        """Runs the add-checkpoint server; yields its port."""
        command = [sys.executable, *program, "run", *self.files, "--every", "3600", "--listen", "127.0.0.1:0"]
        process = subprocess.Popen(command, cwd=PROJECT, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None
            first = process.stdout.readline()
            found = re.search(r":(\d+)\.$", first.strip())
            assert found is not None, first
            yield int(found[1])
        finally:
            process.kill()
            process.communicate(timeout=SECONDS)


def run(*arguments: str, program: Sequence[str] = ("-m", "rounds.witness"), **environment: str) -> Said:
    done = subprocess.run(
        [sys.executable, *program, *arguments],
        cwd=PROJECT,
        env=ENVIRONMENT | environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    return Said(done.returncode, done.stdout, done.stderr)


def post(port: int, body: bytes, path: str = "/add-checkpoint", headers: dict[str, str] | None = None) -> Answer:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)
    try:
        connection.request("POST", path, body, headers or {})
        answer = connection.getresponse()
        return Answer(answer.status, answer.headers.get("Content-Type", ""), answer.read())
    finally:
        connection.close()
