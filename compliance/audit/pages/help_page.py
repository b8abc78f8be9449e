"""The help page "findings", which prints the catalogue of codes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from compliance.audit.catalogue import FAMILIES
from compliance.audit.catalogue.finding_code import FindingCode
from compliance.audit.checks import checked_codes
from compliance.core.web.help_pages import HelpPage
from compliance.core.web.ui.components import Tag


@dataclass(frozen=True)
class ListedCode:
    code: FindingCode
    is_checked: bool

    @property
    def tag(self) -> Tag:
        return Tag("Checked", "success") if self.is_checked else Tag("Not checked yet")


def catalogue_facts() -> Mapping[str, Any]:
    checked = checked_codes()
    families = [(name, [ListedCode(code, code.name in checked) for code in codes]) for name, codes in FAMILIES.items()]
    return {
        "families": families,
        "checked": len(checked),
        "codes": sum(len(codes) for codes in FAMILIES.values()),
    }


FINDINGS_PAGE = HelpPage(
    "findings",
    "Findings",
    "How the audit judges rounds, what a finding says, and every code there is.",
    "Inspectors, compliance officers and supervisors",
    order=50,
    facts=catalogue_facts,
)
