"""The manifest of a backup: a digest of every file, so that a damaged backup is refused before it is used."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path

from compliance.config.backups.postgres_programs import BackupFailed

FORMAT = "fairthrow-backup/1"
MANIFEST_NAME = "manifest.json"


@dataclass(frozen=True)
class BackupManifest:
    """`checkpoints` has the newest of each log before the dump began: the dump holds at least what they sign."""

    made_at: str
    server: str
    roles: dict[str, str]
    checkpoints: dict[str, str]
    verifier_keys: dict[str, str]
    retired_keys: str
    files: dict[str, str]
    format: str = FORMAT

    def write(self, folder: Path) -> None:
        (folder / MANIFEST_NAME).write_text(json.dumps(asdict(self), indent=1, sort_keys=True) + "\n")


def read_manifest(folder: Path) -> BackupManifest:
    """Reads the manifest and checks the digest of every file. Raises BackupFailed."""
    try:
        manifest = BackupManifest(**json.loads((folder / MANIFEST_NAME).read_text()))
    except FileNotFoundError as error:
        raise BackupFailed(f"There is no backup in {folder}: it has no {MANIFEST_NAME}.") from error
    except (OSError, ValueError, TypeError) as error:
        raise BackupFailed(f"The {MANIFEST_NAME} in {folder} cannot be read: the backup is damaged.") from error
    if manifest.format != FORMAT:
        raise BackupFailed(f"The backup in {folder} is of the format {manifest.format!r}; this release reads {FORMAT}.")
    for name, digest in manifest.files.items():
        if not (folder / name).is_file() or sha256_of(folder / name) != digest:
            raise BackupFailed(f"{name} in {folder} is missing or damaged: use another backup.")
    return manifest


def sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
