"""How much one report holds: asked before it is wished for, and again when it is made."""

from collections.abc import Mapping
from typing import Any

from compliance.accounts.models import Casino
from compliance.reports.contents import KINDS
from compliance.reports.errors import ReportTooLarge

MOST_ROWS = 20_000


def rows_in(casino: Casino, kind: str, chosen: Mapping[str, Any]) -> int | None:
    """None where it does not depend on what was chosen. Refuses what no reader would get through."""
    count = KINDS[kind].rows
    if count is None:
        return None
    number = count(casino, chosen)
    if number > MOST_ROWS:
        raise ReportTooLarge(f"That is {number:,} {KINDS[kind].of}; one report holds at most {MOST_ROWS:,}.")
    return number
