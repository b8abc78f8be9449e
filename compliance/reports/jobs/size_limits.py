"""Size limit of a report, checked when it is requested and again when it is generated."""

from collections.abc import Mapping
from typing import Any

from compliance.core.accounts.models import Casino
from compliance.reports.errors import ReportTooLarge
from compliance.reports.kinds import REPORT_KINDS

MAX_ROWS = 20_000


def count_rows_within_limit(casino: Casino, kind: str, chosen: Mapping[str, Any]) -> int | None:
    """Number of rows; None if it does not depend on the options. Refuses reports too long to be read."""
    count = REPORT_KINDS[kind].rows
    if count is None:
        return None
    number = count(casino, chosen)
    if number > MAX_ROWS:
        raise ReportTooLarge(f"That is {number:,} {REPORT_KINDS[kind].of}; one report holds at most {MAX_ROWS:,}.")
    return number
