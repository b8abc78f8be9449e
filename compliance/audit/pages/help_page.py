"""The help page "findings", which prints the catalogue of codes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from compliance.audit.catalogue import ALL_CODES, FAMILIES
from compliance.audit.catalogue.finding_code import FindingCode
from compliance.audit.checks import codes_by_evidence
from compliance.audit.checks.applicability import clauses_by_code
from compliance.core.web.help_pages import HelpPage
from rounds.rulepacks import shipped_packs


@dataclass(frozen=True)
class CodeEntry:
    """A code of the page: what it is decided from, and by title of a rule document the clauses bound to it."""

    code: FindingCode
    evidence: str
    clauses: Mapping[str, str]


def catalogue_facts() -> Mapping[str, Any]:
    evidence = {code: read for read, codes in codes_by_evidence().items() for code in codes}
    bound = {pack.title: clauses_by_code(pack) for pack in shipped_packs()}
    families = [
        (name, [CodeEntry(code, evidence.get(code, ""), _clauses_of(code, bound)) for code in codes])
        for name, codes in FAMILIES.items()
    ]
    return {"families": families, "codes": len(ALL_CODES)}


def _clauses_of(code: FindingCode, bound: Mapping[str, Mapping[str, Sequence[str]]]) -> Mapping[str, str]:
    return {title: ", ".join(clauses[code.name]) for title, clauses in bound.items() if code.name in clauses}


FINDINGS_PAGE = HelpPage(
    "findings",
    "Findings",
    "How the audit judges rounds, what a finding says, and every code there is.",
    "Inspectors, compliance officers and supervisors",
    order=50,
    facts=catalogue_facts,
)
