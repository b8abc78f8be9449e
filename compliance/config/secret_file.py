"""Secrets in files that only the service's user can read."""

import os
import secrets
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile


def load_or_create_secret(path: Path) -> str:
    """Reads the secret, or creates it with mode 0600.

    Safe for concurrent first use: the file is written under a temporary name and linked into place, so that all
    processes read the first one's secret."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile("w", dir=path.parent, prefix=f".{path.name}-") as file:
            file.write(secrets.token_urlsafe(48))
            file.flush()
            with suppress(FileExistsError):
                os.link(file.name, path)
    return path.read_text().strip()
