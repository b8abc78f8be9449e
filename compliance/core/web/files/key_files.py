"""Files with keys and secrets: mode 0600, created once, never overwritten here. Needs no Django."""

import os
import secrets
from pathlib import Path
from tempfile import NamedTemporaryFile

from compliance.core.web.files.atomic_write import fsync_folder

SEED_BYTES = 32


def create_private_file(path: Path, content: bytes) -> bool:
    """Creates the file, or leaves the one that exists. Returns whether it was created.

    Safe for concurrent first use: a complete temporary file is linked into place, so that all read the first one's."""
    if path.exists():
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
        try:
            os.link(file.name, path)
        except FileExistsError:
            return False
    fsync_folder(path.parent)
    return True


def load_or_create_secret(path: Path) -> str:
    create_private_file(path, secrets.token_urlsafe(48).encode())
    return path.read_text().strip()


def read_seed(path: Path) -> bytes:
    """Raises OSError if the file cannot be read, ValueError if it has no seed. Neither says what is in it."""
    try:
        seed = bytes.fromhex(path.read_text())
    except ValueError:
        seed = b""
    if len(seed) != SEED_BYTES:
        raise ValueError(f"it must hold {SEED_BYTES} bytes in hex")
    return seed
