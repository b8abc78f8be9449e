"""Attaches files to a PDF by an incremental update, so that the bytes of the pages stay unchanged. The update depends
only on the pages and the files, so a verifier can recompute and compare it. Standard library only: this file is joined
into verify_report.py."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping

from compliance.core.web.pdf.verify_signature import SignatureError

STARTXREF = re.compile(rb"startxref\s+(\d+)\s+%%EOF\s*\Z")
TRAILER = re.compile(rb"trailer\s*<<(.*?)>>\s*startxref", re.DOTALL)


def attach_files(pages: bytes, files: Mapping[str, bytes]) -> bytes:
    """The PDF with the files attached, sorted by name."""
    packed = {name: zlib.compress(files[name], 6) for name in sorted(files)}
    return pages + attachment_update(pages, packed)


def trailer_member(text: bytes, name: bytes) -> bytes:
    found = re.search(rb"/" + name + rb"\s+(\d+(?:\s+\d+\s+R)?)", text)
    if found is None:
        raise SignatureError(f"The pages' own trailer has no {name.decode()}.")
    return found[1]


def attachment_update(pages: bytes, packed: dict[str, bytes]) -> bytes:
    """The incremental PDF update after the pages: each file, the list of files, and a catalogue that names the list."""
    start = STARTXREF.search(pages)
    trailer = TRAILER.findall(pages)
    if start is None or not trailer:
        raise SignatureError("The pages are not a whole PDF.")
    root = int(trailer_member(trailer[-1], b"Root").split()[0])
    number = int(trailer_member(trailer[-1], b"Size"))
    catalogue = re.search(rb"(?:^|[\r\n])%d 0 obj\s*<<(.*?)>>\s*endobj" % root, pages, re.DOTALL)
    if catalogue is None:
        raise SignatureError("The pages have no catalogue.")
    parts: list[bytes] = [b"\n"]
    places: dict[int, int] = {}
    length = len(pages) + 1
    names = b""

    def add_object(which: int, content: bytes) -> None:
        nonlocal length
        places[which] = length
        parts.append(content)
        length += len(content)

    for name, content in packed.items():
        head = b"%d 0 obj\n<</Type/EmbeddedFile/Length %d/Filter/FlateDecode" % (number, len(content))
        head += b"/Subtype/application#2Foctet-stream>>\nstream\n"
        add_object(number, head + content + b"\nendstream\nendobj\n")
        text = name.encode("ascii")
        add_object(
            number + 1,
            b"%d 0 obj\n<</Type/Filespec/F(%b)/UF(%b)/EF<</F %d 0 R>>>>\nendobj\n" % (number + 1, text, text, number),
        )
        names += b"(%b) %d 0 R " % (text, number + 1)
        number += 2
    listed = b" /Names <</EmbeddedFiles <</Names [%b]>>>>" % names.strip()
    add_object(root, b"%d 0 obj\n<<%b%b>>\nendobj\n" % (root, catalogue[1].rstrip(), listed))
    table = b"xref\n" + b"".join(b"%d 1\n%010d 00000 n \n" % (which, places[which]) for which in sorted(places))
    rest = b"trailer\n<</Size %d /Root %d 0 R /Prev %b>>\nstartxref\n%d\n%%%%EOF\n" % (number, root, start[1], length)
    return b"".join(parts) + table + rest
