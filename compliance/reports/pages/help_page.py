"""Help page of reports, with the values it takes from the code."""

from collections.abc import Mapping
from typing import Any

from compliance.core.web.help_pages import HelpPage


def help_facts() -> Mapping[str, Any]:
    from compliance.reports.dashboard.return_to_player import DEVIATIONS
    from compliance.reports.document.period import MAX_DAYS
    from compliance.reports.jobs.schedules import DELAY_AFTER_PERIOD
    from compliance.reports.jobs.size_limits import MAX_ROWS
    from compliance.reports.kinds import REPORT_KINDS
    from compliance.reports.offline.single_file_verifier import VERIFIER

    return {
        "kinds": REPORT_KINDS.values(),
        "most_rows": f"{MAX_ROWS:,}",
        "most_days": MAX_DAYS,
        "settles_minutes": int(DELAY_AFTER_PERIOD.total_seconds()) // 60,
        "deviations": f"{round(DEVIATIONS * 1000) / 1000}",
        "verifier_sha256": VERIFIER.sha256,
    }


def signed_files_facts() -> Mapping[str, Any]:
    return {"python": "3.10"}


SIGNED_FILES = HelpPage(
    "signed-files",
    "Checking a signed file",
    "Every PDF is signed: how to check one in a PDF reader, and offline with verify_report.py.",
    "Inspectors, authority officers, patrons who got a letter",
    order=65,
    facts=signed_files_facts,
)
PAGE = HelpPage(
    "reports",
    "Reports",
    "What reports there are, what they rest on, schedules, the dashboard, and how to check a report offline.",
    "Inspectors, authority officers, compliance officers",
    order=64,
    facts=help_facts,
)
