"""Secrets in files that only the service's user can read."""

import os
import secrets
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile


def load_or_create_secret(path: Path) -> str:
    """The secret in the file, made on first use and readable by its owner alone.

    Several processes may be the first at once. The file appears whole or not at all, and whoever comes second takes it.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile("w", dir=path.parent, prefix=f".{path.name}-") as file:
            file.write(secrets.token_urlsafe(48))
            file.flush()
            with suppress(FileExistsError):
                os.link(file.name, path)
    return path.read_text().strip()
