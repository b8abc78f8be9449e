"""Check of uploaded files: the type is detected from the bytes and must match the file name."""

import hashlib
from dataclasses import dataclass
from io import BytesIO

from PIL import Image

from promotions.shared.errors import UnsupportedFile

LARGEST_BYTES = 5 * 1024 * 1024
MAGIC_BYTES = {b"%PDF-": "application/pdf", b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}
EXTENSIONS = {"pdf": "application/pdf", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg"}


@dataclass(frozen=True)
class Upload:
    content: bytes
    file_name: str
    media_type: str

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()


def read_upload(content: bytes, file_name: str) -> Upload:
    """Accepts a PDF, PNG or JPEG whose bytes and name match."""
    if not content:
        raise UnsupportedFile("The file is empty.")
    if len(content) > LARGEST_BYTES:
        raise UnsupportedFile(
            f"The file is larger than {LARGEST_BYTES // 1024 // 1024} MB.", remedy="Choose a smaller one."
        )
    found = next((media for beginning, media in MAGIC_BYTES.items() if content.startswith(beginning)), "")
    named = EXTENSIONS.get(file_name.rpartition(".")[2].lower(), "")
    if not found or not named:
        raise UnsupportedFile("Only PDF, PNG and JPEG files can be attached.", remedy="Save it as one of these.")
    if found != named:
        raise UnsupportedFile("The file is not what its name says.", remedy="Save it again in the format of its name.")
    if found.startswith("image/"):
        _check_picture(content)
    printable = "".join(letter for letter in file_name if letter.isprintable())
    return Upload(content, printable.replace("\\", "/").rpartition("/")[2][-120:].strip() or "file", found)


def _check_picture(content: bytes) -> None:
    """Opens the image: correct magic bytes alone do not make it valid."""
    try:
        with Image.open(BytesIO(content), formats=("JPEG", "PNG")) as picture:
            picture.verify()
    except Exception as error:
        raise UnsupportedFile(
            "The file begins like a picture but cannot be opened as one.", remedy="Save it again."
        ) from error
