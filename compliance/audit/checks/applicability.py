"""What each finding code means under one rule version: checked (with its clauses), silent, or not applicable.

Silence is shown, because a document that says nothing is not the same as a table that is in order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from compliance.audit.catalogue import ALL_CODES, FAMILIES
from compliance.audit.catalogue.finding_code import OWN_DUTY, FindingCode, clauses_for
from compliance.core.web.ui.components import Tag, TagKind
from rounds.engine import Pack


class Applicability(StrEnum):
    APPLIES = "Checked"
    OWN = "Checked by this service"
    SILENT = "Rules are silent"
    NO_SUBJECT = "Does not arise"
    RETIRED = "Retired"

    @property
    def tag(self) -> Tag:
        return Tag(self.value, TAG_KINDS[self])


TAG_KINDS: Mapping[Applicability, TagKind] = {
    Applicability.APPLIES: "success",
    Applicability.OWN: "success",
    Applicability.SILENT: "warning",
    Applicability.NO_SUBJECT: "neutral",
    Applicability.RETIRED: "neutral",
}


@dataclass(frozen=True)
class CodeUnderRules:
    """One finding code under one rule version."""

    code: FindingCode
    bearing: Applicability
    clauses: tuple[str, ...] = ()

    @property
    def cited(self) -> str:
        return ", ".join(self.clauses) or "None"


def code_under_rules(pack: Pack, code: FindingCode) -> CodeUnderRules:
    if code.retired:
        return CodeUnderRules(code, Applicability.RETIRED)
    if not code.applies_to(pack):
        return CodeUnderRules(code, Applicability.NO_SUBJECT)
    if code.clause_key == OWN_DUTY:
        return CodeUnderRules(code, Applicability.OWN)
    clauses = clauses_for(pack, code)
    return CodeUnderRules(code, Applicability.APPLIES if clauses else Applicability.SILENT, clauses)


CHECK_PREFIX = "check:"


def bound_codes(bind: Iterable[str]) -> list[str]:
    """The names of the codes among what a clause map binds to a clause, such as `check:FAULT-PLAY`."""
    return [bound.removeprefix(CHECK_PREFIX) for bound in bind if bound.startswith(CHECK_PREFIX)]


def clauses_by_code(pack: Pack) -> Mapping[str, list[str]]:
    """The clauses that the pack's clause map binds to each code, by name of the code."""
    clauses: dict[str, list[str]] = defaultdict(list)
    for clause, entry in pack.clauses.items():
        for name in bound_codes(entry.bind):
            clauses[name].append(clause)
    return clauses


def codes_by_clause(pack: Pack) -> Mapping[str, list[CodeUnderRules]]:
    """The codes that check each clause: those that the pack's clause map names, and those whose clause key leads to the
    clause. Because of the latter a new code needs no change of a pack."""
    under = {code.name: code_under_rules(pack, code) for code in ALL_CODES if not code.retired}
    names = {clause: bound_codes(entry.bind) for clause, entry in pack.clauses.items()}
    for name, one in under.items():
        for clause in one.clauses:
            names.setdefault(clause, []).append(name)
    return {clause: [under[name] for name in dict.fromkeys(bound) if name in under] for clause, bound in names.items()}


def codes_by_family(pack: Pack) -> Iterator[tuple[str, list[CodeUnderRules]]]:
    for family, codes in FAMILIES.items():
        yield family, [code_under_rules(pack, code) for code in codes]
