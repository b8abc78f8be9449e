"""What each finding code means under one rule version: checked (with its clauses), silent, or not applicable.

Silence is shown, because a document that says nothing is not the same as a table that is in order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from compliance.audit.catalogue import FAMILIES
from compliance.audit.catalogue.finding_code import FindingCode, clauses_for
from compliance.audit.checks import checked_codes
from compliance.core.web.ui.components import Tag, TagKind
from rounds.engine import Pack


class Applicability(StrEnum):
    APPLIES = "Checked"
    OWN = "Checked by this service"
    SILENT = "Rules are silent"
    NO_SUBJECT = "Does not arise"
    NOT_YET = "Not checked yet"

    @property
    def tag(self) -> Tag:
        return Tag(self.value, TAG_KINDS[self])


TAG_KINDS: Mapping[Applicability, TagKind] = {
    Applicability.APPLIES: "success",
    Applicability.OWN: "success",
    Applicability.SILENT: "warning",
    Applicability.NO_SUBJECT: "neutral",
    Applicability.NOT_YET: "neutral",
}


def _has_streaks(pack: Pack) -> bool:
    return pack.law.streak is not None


def _has_cards(pack: Pack) -> bool:
    return pack.conduct.cards is not None


def _has_dice(pack: Pack) -> bool:
    return not _has_cards(pack)


# By prefix of the code: what the game must have for the code to apply at all.
GAME_REQUIREMENTS: Mapping[str, Callable[[Pack], bool]] = {
    "STREAK-": _has_streaks,
    "CARDS-": _has_cards,
    "ROUND-CARDS": _has_cards,
    "ROUND-TUMBLES": _has_dice,
    "DICE-": _has_dice,
    "SHAKER-": _has_dice,
    "SETTLE-PAY-TABLE": lambda pack: len(pack.law.pay_table) > 1,
    "SETTLE-READING": lambda pack: bool(pack.readings),
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
    clauses = clauses_for(pack, code)
    if any(code.name.startswith(begins) and not has(pack) for begins, has in GAME_REQUIREMENTS.items()):
        return CodeUnderRules(code, Applicability.NO_SUBJECT)
    if not code.clause_key:
        return CodeUnderRules(code, Applicability.OWN if code.name in checked_codes() else Applicability.NOT_YET)
    if not clauses:
        return CodeUnderRules(code, Applicability.SILENT)
    return CodeUnderRules(
        code, Applicability.APPLIES if code.name in checked_codes() else Applicability.NOT_YET, clauses
    )


def codes_by_family(pack: Pack) -> Iterator[tuple[str, list[CodeUnderRules]]]:
    for family, codes in FAMILIES.items():
        yield family, [code_under_rules(pack, code) for code in codes]
