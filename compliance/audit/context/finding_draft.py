"""FindingDraft: what a check returns about one subject, before it is recorded as a finding."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from compliance.audit.catalogue.finding_code import FindingCode, Severity
from compliance.audit.context.round_context import RoundContext
from rounds.engine import BETS
from rounds.engine.money import format_cents
from rounds.rulebook.labels import bet_label, box_name, void_reason_label
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.selectors import pack_of, rules_of


@dataclass(frozen=True, kw_only=True)
class FindingDraft:
    """What is wrong, which amounts disagree, and which entries are the evidence.

    `is_silent`: the document does not say what follows. `reading` names the reading and choice by which the wager was
    settled; drafts with a reading are grouped into one finding. `severity` replaces that of the
    code, where the pack says so.
    """

    code: str
    check: str
    index: int
    table: str
    at: datetime
    sentence: str
    version: int | None
    clause: str = ""
    wager: str = ""
    required_cents: int | None = None
    found_cents: int | None = None
    evidence: tuple[int, ...] = ()
    explanation: tuple[str, ...] = ()
    is_silent: bool = False
    reading: tuple[str, str] | None = None
    severity: Severity | None = None


def round_draft(
    context: RoundContext, code: FindingCode, check: str = "", *, what: str, required: str, found: str, **rest: object
) -> FindingDraft:
    """A draft about a round, or about one of its wagers where `wager` is given."""
    return FindingDraft(
        code=code.name,
        check=check or code.check_name,
        index=context.index,
        table=context.table,
        at=context.rules_in_force.commenced_at(context.events),
        sentence=code.format_sentence(what=what, required=required, found=found),
        version=context.rules_in_force.version.id,
        evidence=(
            context.index,
            *(context.later_decisions.sets if context.later_decisions else ()),
            *_payments_in_amount(context, rest),
            context.rules_in_force.version.entry_index,
        ),
        **rest,  # type: ignore[arg-type]
    )


def _payments_in_amount(context: RoundContext, about: Mapping[str, object]) -> list[int]:
    """Entries of the payments after a dispute that are part of the amount found: of its wager, or of all."""
    if about.get("found_cents") is None:
        return []
    paid = context.payment_entries.items()
    return sorted(entry for wager, entries in paid if about.get("wager") in (None, wager) for entry in entries)


def round_history_draft(
    context: RoundContext, code: FindingCode, *, what: str = "", required: str = "", found: str = "", **rest: Any
) -> FindingDraft:
    """A draft of a RoundHistoryCheck, with the earlier entries added to its evidence."""
    others = rest.pop("evidence", ())
    draft = round_draft(context, code, what=what, required=required, found=found, **rest)
    return replace(draft, evidence=(*draft.evidence, *others))


def merge_same_findings(drafts: Iterable[FindingDraft]) -> list[FindingDraft]:
    """One draft for all of one code about one subject, because at most one such finding can be recorded. The first one
    gets the evidence of the others, and their sentences as its explanation."""
    merged: dict[tuple[object, ...], FindingDraft] = {}
    for draft in drafts:
        key = (draft.index, draft.wager, draft.check, draft.code, draft.version)
        first = merged.setdefault(key, draft)
        if first is not draft:
            merged[key] = replace(
                first,
                evidence=tuple(dict.fromkeys((*first.evidence, *draft.evidence))),
                explanation=(*first.explanation, draft.sentence, *draft.explanation),
            )
    return list(merged.values())


def format_duration(span: timedelta) -> str:
    """A duration in words: 19 min 59 s."""
    seconds = int(span.total_seconds())
    parts = ((seconds // 3600, "h"), (seconds // 60 % 60, "min"), (seconds % 60, "s"))
    return " ".join(f"{count} {unit}" for count, unit in parts if count) or "0 s"


def wager_label(bet: str, stake_cents: int, wager: str) -> str:
    """“Total 9” for `total:9`. Includes the wager's id, because a round may have several wagers alike."""
    return f"{bet.replace(':', ' ').capitalize()} for {format_amount(stake_cents)} (wager {wager})"


def capitalize_first(text: str) -> str:
    return text[0].upper() + text[1:]


def format_amount(cents: int | None) -> str:
    return format_cents(cents, missing="nothing")


_EARLIER_DUE = re.compile(r"^Handed back: ")
_BET_CODE = re.compile(r"^[a-z]\S*(?= (?:wins|loses|is)\b)")
_VOID_REASON = re.compile(r"(?<=^The round has no result \()[a-z-]+(?=\))")


def explanation_text(version: RuleVersion | None, sentences: Iterable[str]) -> list[str]:
    """The sentences, with the names of boxes and void reasons instead of their codes."""
    rules = rules_of(version, next(iter(pack_of(version).law.pay_table))) if version else None

    def bet_name(found: re.Match[str]) -> str:
        code = found[0]
        return box_name(rules, BETS[code]) if rules is not None and code in BETS else bet_label(code)

    def in_words(sentence: str) -> str:
        named = _BET_CODE.sub(bet_name, _EARLIER_DUE.sub("Due: ", sentence))
        return _VOID_REASON.sub(lambda found: void_reason_label(found[0]).lower(), named)

    return [in_words(sentence) for sentence in sentences]
