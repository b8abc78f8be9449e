"""Uploaded files: identified by content, never by name; stored by digest outside the web root."""

from __future__ import annotations

import os
import warnings
from dataclasses import asdict, dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import PurePosixPath
from tempfile import NamedTemporaryFile
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from PIL import Image

from compliance.disputes.errors import BadAttachment, FileGone
from compliance.disputes.models import Attachment, attachment_path

MAX_FILE_BYTES = 10 * 1024 * 1024
MAX_FILES = 8
MAX_PIXELS = 60_000_000
ENDINGS = {"image/jpeg": (".jpg", ".jpeg"), "image/png": (".png",), "application/pdf": (".pdf",)}
MAGIC_BYTES = {b"\xff\xd8\xff": "image/jpeg", b"\x89PNG\r\n\x1a\n": "image/png", b"%PDF-": "application/pdf"}
ACCEPT = ",".join([*ENDINGS, *(ending for endings in ENDINGS.values() for ending in endings)])


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
    name = clean_file_name(upload.name or "")
    if (upload.size or 0) > MAX_FILE_BYTES:
        raise BadAttachment(f"{name} is larger than {MAX_FILE_BYTES // 1024 // 1024} MB.")
    content = upload.read(MAX_FILE_BYTES + 1)
    if not content:
        raise BadAttachment(f"{name} is empty.")
    media_type = check_media_type(content, name)
    digest = sha256(content).hexdigest()
    _write_atomically(digest, content)
    return StoredFile(name, digest, len(content), media_type)


def clean_file_name(name: str) -> str:
    """The last part of the path, printable characters only, limited in length."""
    last = PurePosixPath(name.replace("\\", "/")).name
    printable = "".join(letter for letter in last if letter.isprintable() and letter not in '"<>').strip()
    return printable[-120:] or "file"


def check_media_type(content: bytes, name: str) -> str:
    """The media type by magic bytes; raises if the file's extension differs."""
    found = next((media_type for start, media_type in MAGIC_BYTES.items() if content.startswith(start)), "")
    if not found:
        raise BadAttachment(f"{name} is not a JPEG or PNG photograph or a PDF, whatever its name says.")
    if not name.lower().endswith(ENDINGS[found]):
        raise BadAttachment(f"{name} is not what its name says: its content is {found}.")
    if found.startswith("image/"):
        _check_picture(content, name)
    return found


def _check_picture(content: bytes, name: str) -> None:
    """Checks that it opens as a picture and is not a decompression bomb."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(BytesIO(content), formats=("JPEG", "PNG")) as picture:
                width, height = picture.size
                picture.verify()
    except Exception as error:
        raise BadAttachment(f"{name} starts like a photograph but cannot be opened as one.") from error
    if width * height > MAX_PIXELS:
        raise BadAttachment(f"{name} has more than {MAX_PIXELS // 1_000_000} million pixels.")


def _write_atomically(digest: str, content: bytes) -> None:
    """Atomic write: to a temporary file in the same folder, then renamed."""
    path = attachment_path(digest)
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(file.name, path)


def read_attachment(attachment: Attachment) -> bytes:
    """The bytes as attached. Raises FileGone if they are missing or changed."""
    try:
        content = attachment.path.read_bytes()
    except OSError as error:
        raise FileGone from error
    if sha256(content).hexdigest() != attachment.sha256:
        raise FileGone
    return content
