"""Uploads are what their bytes say, under a harmless name, and no larger than allowed."""

from io import BytesIO

import pytest
from django import forms
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.datastructures import MultiValueDict
from PIL import Image

from compliance.core.web.files.uploads import UnsupportedFile, UploadField, clean_file_name, read_upload

LIMIT = 1000


def picture(kind: str, size: tuple[int, int] = (4, 3)) -> bytes:
    content = BytesIO()
    Image.new("1", size).save(content, kind)
    return content.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "media_type"),
    [
        ("a.pdf", b"%PDF-1.7", "application/pdf"),
        ("A.PNG", picture("PNG"), "image/png"),
        ("a.jpg", picture("JPEG"), "image/jpeg"),
        ("a.jpeg", picture("JPEG"), "image/jpeg"),
        ("a.pdf", b"%PDF-".ljust(LIMIT), "application/pdf"),
    ],
)
def test_pdf_png_and_jpeg_files_are_accepted(name: str, content: bytes, media_type: str) -> None:
    upload = read_upload(SimpleUploadedFile(name, content), LIMIT)
    assert (upload.file_name, upload.media_type, upload.content) == (name, media_type, content)


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("a.pdf", b"", "a.pdf is empty."),
        ("a.pdf", b"%PDF-".ljust(LIMIT + 1), "a.pdf is larger than 0 MB."),
        ("a.pdf", b"<script>", "a.pdf is not a JPEG or PNG photograph or a PDF, whatever its name says."),
        ("a.gif", picture("GIF"), "a.gif is not a JPEG or PNG photograph or a PDF, whatever its name says."),
        ("a.pdf", picture("PNG"), "a.pdf is not what its name says: its content is image/png."),
        ("a.html", b"%PDF-1.7", "a.html is not what its name says: its content is application/pdf."),
        ("a.png", b"\x89PNG\r\n\x1a\n" + bytes(40), "a.png starts like a photograph but cannot be opened as one."),
    ],
)
def test_other_files_are_refused_with_their_name(name: str, content: bytes, sentence: str) -> None:
    with pytest.raises(UnsupportedFile) as refused:
        read_upload(SimpleUploadedFile(name, content), LIMIT)
    assert refused.value.detail == sentence


def test_a_picture_that_is_huge_once_decompressed_is_refused() -> None:
    bomb = picture("PNG", (10_000, 8_000))
    assert len(bomb) < 50_000
    with pytest.raises(UnsupportedFile, match="million pixels"):
        read_upload(SimpleUploadedFile("a.png", bomb), 50_000)


def test_the_name_is_without_folders_and_markup() -> None:
    assert clean_file_name('..\\..\\etc/"<b>\u202epass.pdf') == "bpass.pdf"
    assert clean_file_name("/") == "file"


def test_the_field_gives_the_upload_or_says_what_is_wrong() -> None:
    class PosterForm(forms.Form):
        poster = UploadField(required=False)

    def posted(*files: SimpleUploadedFile) -> PosterForm:
        return PosterForm({}, MultiValueDict({"poster": list(files)}))

    form = posted(SimpleUploadedFile("a.pdf", b"%PDF-1.7"))
    assert form.is_valid()
    assert form.cleaned_data["poster"].media_type == "application/pdf"
    assert posted().is_valid()
    form = posted(SimpleUploadedFile("a.pdf", b"GIF89a"))
    assert "a.pdf is not a JPEG or PNG photograph or a PDF" in form.errors["poster"][0]
