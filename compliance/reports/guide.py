"""The help page of reports, and what it prints from the code."""

from collections.abc import Mapping
from typing import Any

from compliance.web.help import HelpPage


def facts() -> Mapping[str, Any]:
    from compliance.reports.contents import KINDS
    from compliance.reports.dashboard.returns import DEVIATIONS
    from compliance.reports.period import MOST_DAYS
    from compliance.reports.scheduling import SETTLES_FOR
    from compliance.reports.sizes import MOST_ROWS
    from compliance.reports.verifier import VERIFIER

    return {
        "kinds": KINDS.values(),
        "most_rows": f"{MOST_ROWS:,}",
        "most_days": MOST_DAYS,
        "settles_minutes": int(SETTLES_FOR.total_seconds()) // 60,
        "deviations": f"{round(DEVIATIONS * 1000) / 1000}",
        "verifier_sha256": VERIFIER.sha256,
    }


def signed_files() -> Mapping[str, Any]:
    return {"python": "3.10"}


SIGNED_FILES = HelpPage(
    "signed-files",
    "Checking a signed file",
    "Every PDF is signed: how to check one in a PDF reader, and offline with verify_report.py.",
    "Inspectors, authority officers, patrons who got a letter",
    order=65,
    facts=signed_files,
)
PAGE = HelpPage(
    "reports",
    "Reports",
    "What reports there are, what they rest on, schedules, the dashboard, and how to check a report offline.",
    "Inspectors, authority officers, compliance officers",
    order=64,
    facts=facts,
)
