"""A finding before it is recorded: what a check says about one subject."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from compliance.audit.catalogue import CODES
from compliance.audit.seen import RoundSeen
from rounds.engine.explain import money


@dataclass(frozen=True, kw_only=True)
class Draft:
    """What is wrong, with whom it lies, and what it rests on.

    `is_silent`: the document does not say what follows. `reading` names the reading and the choice by which the wager
    was settled: drafts that name one are grouped into a single finding.
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


def about_round(
    seen: RoundSeen, code: str, check: str, *, what: str, required: str, found: str, **rest: object
) -> Draft:
    """A draft about a round, or about one of its wagers where `wager` is given."""
    return Draft(
        code=code,
        check=check,
        index=seen.index,
        table=seen.table,
        at=seen.circumstances.commenced_at(seen.events),
        sentence=CODES[code].says(what=what, required=required, found=found),
        version=seen.circumstances.version.id,
        evidence=(seen.index, seen.circumstances.version.entry_index),
        **rest,  # type: ignore[arg-type]
    )


def check_of(code: str) -> str:
    """The name under which checks that have one finding of each code for a subject record it."""
    return code.lower()


def over_time(seen: RoundSeen, code: str, *, what: str = "", required: str = "", found: str = "", **rest: Any) -> Draft:
    """A draft about a round that was judged by what happened before it."""
    others = rest.pop("evidence", ())
    draft = about_round(seen, code, check_of(code), what=what, required=required, found=found, **rest)
    return replace(draft, evidence=(*draft.evidence, *others))


def lasting(span: timedelta) -> str:
    """A length of time in words: 19 min 59 s."""
    seconds = int(span.total_seconds())
    parts = ((seconds // 3600, "h"), (seconds // 60 % 60, "min"), (seconds % 60, "s"))
    return " ".join(f"{count} {unit}" for count, unit in parts if count) or "0 s"


def wager_words(bet: str, stake_cents: int, wager: str) -> str:
    """`total:9` is said “Total 9”; the wager's own id follows, because a round may have several alike."""
    return f"{bet.replace(':', ' ').capitalize()} for {amount(stake_cents)} (wager {wager})"


def amount(cents: int | None) -> str:
    return "nothing" if cents is None else money(cents)
