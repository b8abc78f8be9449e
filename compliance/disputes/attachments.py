"""Uploaded files: identified by content, never by name; stored by digest outside the web root."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any

from django.core.files.uploadedfile import UploadedFile

from compliance.core.web.files.atomic_write import write_atomically
from compliance.core.web.files.uploads import read_upload
from compliance.disputes.errors import FileGone
from compliance.disputes.models import Attachment, attachment_path

MAX_FILE_BYTES = 10 * 1024 * 1024
MAX_FILES = 8


@dataclass(frozen=True)
class StoredFile:
    """A file that was checked and stored."""

    file_name: str
    sha256: str
    size_bytes: int
    media_type: str

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def store_upload(upload: UploadedFile[Any]) -> StoredFile:
    """Checks what the file is and stores it. The same bytes are stored once."""
    file = read_upload(upload, MAX_FILE_BYTES)
    if not attachment_path(file.sha256).exists():
        write_atomically(attachment_path(file.sha256), file.content)
    return StoredFile(file.file_name, file.sha256, len(file.content), file.media_type)


def read_attachment(attachment: Attachment) -> bytes:
    """The bytes as attached. Raises FileGone if they are missing or changed."""
    try:
        content = attachment.path.read_bytes()
    except OSError as error:
        raise FileGone from error
    if sha256(content).hexdigest() != attachment.sha256:
        raise FileGone
    return content
