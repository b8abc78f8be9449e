"""Files attached to a PDF by one update after its last byte, so that the pages before it stay as they were.

The update follows from the pages and the files alone: a verifier makes it again and compares (`verify_report.py`).
"""

import zlib
from collections.abc import Mapping

from compliance.reports.offline.verify_report import attachment_update


def attach_files(pages: bytes, files: Mapping[str, bytes]) -> bytes:
    """The PDF with the files attached, in the order of their names."""
    packed = {name: zlib.compress(files[name], 6) for name in sorted(files)}
    return pages + attachment_update(pages, packed)
