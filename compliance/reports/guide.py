"""The help page of reports, and what it prints from the code."""

from collections.abc import Mapping
from typing import Any

from compliance.web.help import HelpPage


def facts() -> Mapping[str, Any]:
    from compliance.reports.contents import KINDS
    from compliance.reports.sizes import MOST_ROWS
    from compliance.reports.verifier import standalone_sha256

    return {"kinds": KINDS.values(), "most_rows": MOST_ROWS, "verifier_sha256": standalone_sha256()}


PAGE = HelpPage(
    "reports",
    "Reports",
    "What reports there are, what they rest on, and how to check one offline.",
    "Inspectors, authority officers, compliance officers",
    order=64,
    facts=facts,
)
