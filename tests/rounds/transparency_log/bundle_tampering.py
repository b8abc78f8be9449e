"""Helpers that tamper with a bundle and run its verifier."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, NamedTuple

from rounds.transparency_log.offline.single_file_verifiers import BUNDLE_VERIFIER

Line = dict[str, Any]


class Verdict(NamedTuple):
    status: int
    words: str


def inspect(folder: Path, *options: str, python: str = sys.executable) -> Verdict:
    """Run the verifier from the folder by itself, as an inspector would."""
    program = folder / BUNDLE_VERIFIER.file_name
    if program.exists():
        return run([python, "-I", str(program), str(folder), *options])
    with NamedTemporaryFile(suffix=".py") as own:
        own.write(BUNDLE_VERIFIER.content)
        own.flush()
        return run([python, "-I", own.name, str(folder), *options])


def run(command: list[str]) -> Verdict:
    done = subprocess.run(command, capture_output=True, check=False, timeout=60)
    assert done.stderr == b"", done.stderr.decode()
    return Verdict(done.returncode, done.stdout.decode("ascii"))


def change_lines(folder: Path, name: str, change: Callable[[list[Line]], list[Line]]) -> None:
    lines = [json.loads(line) for line in (folder / name).read_bytes().splitlines()]
    changed = change(lines)
    (folder / name).write_bytes(b"".join(json.dumps(line).encode() + b"\n" for line in changed))


def change_entries(folder: Path, change: Callable[[list[Line]], list[Line]]) -> None:
    change_lines(folder, "entries.ndjson", change)
    reseal(folder)


def change_manifest(folder: Path, **members: object) -> None:
    path = folder / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **members}))


def reseal(folder: Path) -> None:
    """Update the manifest to match the files: it is not signed, so an attacker would."""
    files = json.loads((folder / "manifest.json").read_text())["files"]
    digests = {name: {"sha256": sha256((folder / name).read_bytes()).hexdigest()} for name in files}
    change_manifest(folder, files=digests)


@contextmanager
def flipped_bit(path: Path, bit: int) -> Iterator[None]:
    """Flip one bit of a file and update the manifest; both are restored afterwards."""
    manifest = path.parent / "manifest.json"
    before = path.read_bytes(), manifest.read_bytes()
    changed = bytearray(before[0])
    changed[bit // 8] ^= 1 << bit % 8
    path.write_bytes(changed)
    reseal(path.parent)
    try:
        yield
    finally:
        path.write_bytes(before[0])
        manifest.write_bytes(before[1])
