"""Extracts the text of a PDF, with a library other than the one that made it."""

from io import BytesIO

from pypdf import PdfReader


def extract_text(content: bytes) -> str:
    """The words of every page in reading order, with single spaces between them."""
    pages = (page.extract_text() for page in PdfReader(BytesIO(content)).pages)
    return " ".join(" ".join(pages).split())
