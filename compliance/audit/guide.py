"""The help page "findings": the catalogue as it is, and which codes are checked today."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from compliance.audit.catalogue import FAMILIES
from compliance.audit.checks import checked_codes
from compliance.audit.codes import Code
from compliance.web.components import Tag
from compliance.web.help import HelpPage


@dataclass(frozen=True)
class Listed:
    code: Code
    is_checked: bool

    @property
    def tag(self) -> Tag:
        return Tag("Checked", "success") if self.is_checked else Tag("Not checked yet")


def catalogue() -> Mapping[str, Any]:
    checked = checked_codes()
    families = [(name, [Listed(code, code.name in checked) for code in codes]) for name, codes in FAMILIES.items()]
    return {
        "families": families,
        "checked": len(checked),
        "codes": sum(len(codes) for codes in FAMILIES.values()),
    }


PAGE = HelpPage(
    "findings",
    "Findings",
    "How the audit judges rounds, what a finding says, and every code there is.",
    "Inspectors, compliance officers and supervisors",
    order=50,
    facts=catalogue,
)
