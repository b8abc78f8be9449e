"""The help page "findings", which prints the catalogue of codes."""

from collections.abc import Mapping
from typing import Any

from compliance.audit.catalogue import ALL_CODES, FAMILIES
from compliance.audit.checks import codes_by_evidence
from compliance.core.web.help_pages import HelpPage


def catalogue_facts() -> Mapping[str, Any]:
    evidence = {code: read for read, codes in codes_by_evidence().items() for code in codes}
    families = [(name, [(code, evidence.get(code, "")) for code in codes]) for name, codes in FAMILIES.items()]
    return {"families": families, "codes": len(ALL_CODES)}


FINDINGS_PAGE = HelpPage(
    "findings",
    "Findings",
    "How the audit judges rounds, what a finding says, and every code there is.",
    "Inspectors, compliance officers and supervisors",
    order=50,
    facts=catalogue_facts,
)
