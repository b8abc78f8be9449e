"""The witness's key file, and next to it a file with the heads that the key cosigned last.

That file distinguishes a lost or restored state from a new one: a witness without memory would sign a rewritten log.
"""

from __future__ import annotations

import fcntl
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from rounds.transparency_log import errors, formats, tree
from rounds.witness.errors import WitnessError

SEED_BYTES = 32


def create_key_file(path: Path, name: str) -> formats.SignerKey:
    """Create a key, readable by its owner only. Never overwrites one."""
    formats.check_key_name(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as error:
        raise WitnessError("key-exists", f"There is a key at {path} already: name another file.") from error
    with open(descriptor, "w") as file:
        file.write(f"{name}\n{secrets.token_hex(SEED_BYTES)}\n")
        file.flush()
        os.fsync(file.fileno())
    return read_key_file(path)


def read_key_file(path: Path) -> formats.SignerKey:
    try:
        name, seed = path.read_text().split()
        return formats.SignerKey.from_seed(name, bytes.fromhex(seed))
    except FileNotFoundError as error:
        raise WitnessError(
            "no-key", f"There is no key at {path}: name it with --key, or make one with init."
        ) from error
    except (OSError, ValueError) as error:
        raise WitnessError(
            "no-key", f"The file {path} is not a witness's key: its name, then 32 bytes in hex."
        ) from error


class CosignedHeads:
    """The last head the key cosigned of each log, one line each: `origin size root`. Sizes only increase."""

    def __init__(self, key_file: Path) -> None:
        self.path = key_file.with_name(f"{key_file.name}.cosigned")

    def read(self) -> dict[str, tree.TreeHead]:
        try:
            lines = self.path.read_text().splitlines()
        except FileNotFoundError:
            return {}
        try:
            return dict(_parse_line(line) for line in lines)
        except ValueError as error:
            sentence = f"The note {self.path} of what was cosigned last cannot be read: bring it back from a copy."
            raise WitnessError("bad-note", sentence) from error

    def advance_to(self, origin: str, head: tree.TreeHead) -> None:
        """Call it after the state is saved and before a cosignature is sent: the state is then never the older one."""
        with self._file_lock():
            heads = self.read()
            if origin not in heads or heads[origin].size < head.size:
                self._write(heads | {origin: head})

    def _write(self, heads: Mapping[str, tree.TreeHead]) -> None:
        fresh = self.path.with_name(f"{self.path.name}.new")
        with fresh.open("w") as file:
            file.writelines(
                f"{origin} {head.size} {formats.encode_base64(head.root)}\n" for origin, head in heads.items()
            )
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self.path)
        _fsync_folder(self.path.parent)

    @contextmanager
    def _file_lock(self) -> Iterator[None]:
        with self.path.with_name(f"{self.path.name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


def _parse_line(line: str) -> tuple[str, tree.TreeHead]:
    origin, size, root = line.split(" ")
    head = tree.TreeHead(formats.parse_decimal(size, "size"), formats.decode_base64(root, "root"))
    if len(head.root) != tree.HASH_BYTES:
        raise errors.NoteError("bad-note", "A root hash is 32 bytes long.")
    return origin, head


def _fsync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
