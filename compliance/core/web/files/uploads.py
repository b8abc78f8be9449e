"""Check of uploaded files: the type is detected from the bytes, and the name must say the same."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import PurePosixPath
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from PIL import Image

from compliance.core.web.errors import Unprocessable

MAX_PIXELS = 60_000_000
ENDINGS = {"image/jpeg": (".jpg", ".jpeg"), "image/png": (".png",), "application/pdf": (".pdf",)}
MAGIC_BYTES = {b"\xff\xd8\xff": "image/jpeg", b"\x89PNG\r\n\x1a\n": "image/png", b"%PDF-": "application/pdf"}
ACCEPT = ",".join([*ENDINGS, *(ending for endings in ENDINGS.values() for ending in endings)])


class UnsupportedFile(Unprocessable):
    code = "unsupported-file"
    title = "We cannot keep that file"
    remedy = "Attach a JPEG or PNG photograph or a PDF. What you typed is still there."


@dataclass(frozen=True)
class Upload:
    """A file that was checked."""

    content: bytes
    file_name: str
    media_type: str

    @property
    def sha256(self) -> str:
        return sha256(self.content).hexdigest()


class UploadField(forms.FileField):
    """A file field whose value is an Upload of at most 5 MB."""

    MAX_BYTES = 5 * 1024 * 1024

    def to_python(self, data: Any) -> Any:
        file: Any = super().to_python(data)
        try:
            return file and read_upload(file, self.MAX_BYTES)
        except UnsupportedFile as refusal:
            raise ValidationError(refusal.full_message) from refusal


def read_upload(upload: UploadedFile[Any], max_bytes: int) -> Upload:
    """Raises UnsupportedFile unless it is a PDF, PNG or JPEG as its name says. A file that is too large is not read."""
    name = clean_file_name(upload.name or "")
    content = upload.read(max_bytes + 1) if (upload.size or 0) <= max_bytes else None
    if content is None or len(content) > max_bytes:
        raise UnsupportedFile(f"{name} is larger than {max_bytes // 1024 // 1024} MB.")
    if not content:
        raise UnsupportedFile(f"{name} is empty.")
    return Upload(content, name, check_media_type(content, name))


def clean_file_name(name: str) -> str:
    """The last part of the path, printable characters only, limited in length."""
    last = PurePosixPath(name.replace("\\", "/")).name
    printable = "".join(letter for letter in last if letter.isprintable() and letter not in '"<>').strip()
    return printable[-120:] or "file"


def check_media_type(content: bytes, name: str) -> str:
    """The media type by magic bytes; raises if the file's extension differs."""
    found = next((media_type for start, media_type in MAGIC_BYTES.items() if content.startswith(start)), "")
    if not found:
        raise UnsupportedFile(f"{name} is not a JPEG or PNG photograph or a PDF, whatever its name says.")
    if not name.lower().endswith(ENDINGS[found]):
        raise UnsupportedFile(f"{name} is not what its name says: its content is {found}.")
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
        raise UnsupportedFile(f"{name} starts like a photograph but cannot be opened as one.") from error
    if width * height > MAX_PIXELS:
        raise UnsupportedFile(f"{name} has more than {MAX_PIXELS // 1_000_000} million pixels.")
