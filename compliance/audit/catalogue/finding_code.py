"""A finding code: severity, sentence template, meaning, and where a rule pack keeps its clause."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import date
from enum import StrEnum
from functools import cache, partial
from typing import Any, get_args, get_type_hints

from django.urls import reverse

from compliance.core.web.ui.components import Tag, TagKind
from rounds.engine import Pack
from rounds.engine import pack as engine_pack


class Severity(StrEnum):
    SERIOUS = "serious"
    BREACH = "breach"
    NOTE = "note"

    @property
    def tag(self) -> Tag:
        return TAGS[self]


_TAG_KINDS: dict[Severity, TagKind] = {Severity.SERIOUS: "danger", Severity.BREACH: "warning", Severity.NOTE: "info"}
TAGS = {severity: Tag(severity.value.capitalize(), kind) for severity, kind in _TAG_KINDS.items()}


# The clause key of a duty of this service, which no document prescribes.
OWN_DUTY = ""


# What a game must have for a code to apply to it at all.


def in_every_game(pack: Pack) -> bool:
    return True


def has_streaks(pack: Pack) -> bool:
    return pack.law.streak is not None


def has_cards(pack: Pack) -> bool:
    return pack.conduct.cards is not None


def has_dice(pack: Pack) -> bool:
    return not has_cards(pack)


def has_several_pay_tables(pack: Pack) -> bool:
    return len(pack.law.pay_table) > 1


def has_void_reports(pack: Pack) -> bool:
    """Whether a report about equipment or a count of cards can make a round void."""
    return any(name == "card-count" or rule.fault_of for name, rule in pack.law.void.items())


def warns_under_minimum(pack: Pack) -> bool:
    """Whether the owner of a wager under the minimum must be told that further ones are handed back."""
    rule = pack.law.settlement.under_minimum
    return rule is None or rule.settled == "once-then-returned"


def may_exclude_players(pack: Pack) -> bool:
    """Whether people may be excluded from the game. True also where the document says nothing about devices."""
    ban = pack.duties.device_ban
    return ban is None or "exclude-from-game" in ban.may


def has_readings(pack: Pack) -> bool:
    return bool(pack.readings)


@dataclass(frozen=True)
class Retirement:
    """Since when a code is no longer used, and why. Its earlier findings stay valid."""

    on: date
    reason: str


@dataclass(frozen=True)
class FindingCode:
    """One kind of finding.

    `sentence` is a template: `{what}` names the subject, `{required}` and `{found}` are the two amounts, times or
    numbers that disagree. `clause_key` is the dotted path of the clause in a rule pack, or OWN_DUTY. Settlement
    findings cite the clause of the settlement step that went wrong.
    """

    name: str
    sentence: str
    meaning: str
    clause_key: str
    applies_to: Callable[[Pack], bool] = in_every_game
    retired: Retirement | None = None
    # What a person can do instead, shown before they record an act that would have this finding.
    remedy: str = ""
    # Reports the outcome of a decision, such as a dispute upheld: no breach by the person who records it.
    is_outcome: bool = field(default=False, kw_only=True)
    severity: Severity = field(kw_only=True)

    @property
    def check_name(self) -> str:
        """The check name of a check that has one finding per code and subject: the code in lower case."""
        return self.name.lower()

    @property
    def full_meaning(self) -> str:
        """The meaning and, for a retired code, since when it is retired."""
        return f"{self.meaning} Retired on {self.retired.on}: {self.retired.reason}" if self.retired else self.meaning

    @property
    def sentence_pattern(self) -> str:
        """The sentence with an ellipsis for each of its parts that differ from finding to finding."""
        return self.format_sentence(what="…", required="…", found="…")

    @property
    def help_url(self) -> str:
        """The entry of the code on the help page of findings."""
        return f"{reverse('web:help-page', args=['findings'])}#{self.name}"

    def format_sentence(self, *, what: str = "", required: str = "", found: str = "") -> str:
        return self.sentence.format(what=what, required=required, found=found)


serious = partial(FindingCode, severity=Severity.SERIOUS)
breach = partial(FindingCode, severity=Severity.BREACH)
note = partial(FindingCode, severity=Severity.NOTE)


def clauses_for(pack: Pack, code: FindingCode) -> tuple[str, ...]:
    """The clauses a pack has for a code, in the pack's order. Empty where the document is silent."""
    part: Any = pack
    for name in code.clause_key.split(".") if code.clause_key else ():
        part = part.get(name) if isinstance(part, Mapping) else getattr(part, name)
        if part is None:
            return ()
    if isinstance(part, tuple) and all(isinstance(each, str) for each in part):
        # The key names a list of clauses.
        return part
    return tuple(dict.fromkeys(_cited_clauses(part))) if code.clause_key else ()


def _cited_clauses(part: Any) -> Iterator[str]:
    """Every clause cited anywhere inside this part of a pack."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, Mapping):
        for each in part.values():
            yield from _cited_clauses(each) if not isinstance(each, str) else ()
    elif isinstance(part, tuple):
        for each in part:
            yield from _cited_clauses(each) if not isinstance(each, str) else ()
    elif is_dataclass(part) and not isinstance(part, type):
        for name, is_clause in _clause_fields(type(part)).items():
            value = getattr(part, name)
            if isinstance(value, str):
                yield from (value,) if is_clause else ()
            elif value is not None:
                yield from _cited_clauses(value)


@cache
def _clause_fields(part: type[Any]) -> Mapping[str, bool]:
    """Each field, and whether a string in it is a clause. Cached per class, because resolving type hints is slow."""
    hints = get_type_hints(part)
    return {
        field.name: engine_pack.Clause in (hints[field.name], *get_args(hints[field.name])) for field in fields(part)
    }
