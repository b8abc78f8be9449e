"""How much one report holds: asked before it is wished for, and again when it is made."""

from collections.abc import Mapping
from typing import Any

from compliance.core.accounts.models import Casino
from compliance.reports.errors import ReportTooLarge
from compliance.reports.kinds import REPORT_KINDS

MAX_ROWS = 20_000


def count_rows_within_limit(casino: Casino, kind: str, chosen: Mapping[str, Any]) -> int | None:
    """None where it does not depend on what was chosen. Refuses what no reader would get through."""
    count = REPORT_KINDS[kind].rows
    if count is None:
        return None
    number = count(casino, chosen)
    if number > MAX_ROWS:
        raise ReportTooLarge(f"That is {number:,} {REPORT_KINDS[kind].of}; one report holds at most {MAX_ROWS:,}.")
    return number
