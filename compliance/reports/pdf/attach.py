"""Attaches files to a PDF by an incremental update, so that the bytes of the pages stay unchanged.

The update depends only on the pages and the files, so a verifier can recompute and compare it (`verify_report.py`).
"""

import zlib
from collections.abc import Mapping

from compliance.reports.offline.verify_report import attachment_update


def attach_files(pages: bytes, files: Mapping[str, bytes]) -> bytes:
    """The PDF with the files attached, sorted by name."""
    packed = {name: zlib.compress(files[name], 6) for name in sorted(files)}
    return pages + attachment_update(pages, packed)
