"""A minimum that went up: announced by a sign, long enough before, that said the new minimum and the time."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from compliance.audit.checks.signs import SIGN_KINDS, Standing, sign_for
from compliance.audit.checks.ways_in import OverTime
from compliance.audit.drafts import Draft, amount, lasting
from compliance.audit.seen import Circumstances
from compliance.audit.stories import Looks, Subject
from compliance.signs.reported import server_instant
from rounds.engine.duties import MinimumRaise

OPENED, CLOSED, CHANGED = "table-opened", "table-closed", "limits-changed"


def judge(subject: Subject) -> Iterator[Draft]:
    """At every change of limits, whoever recorded it. Lowering is free; so is opening a table at a higher minimum."""
    duty = subject.pack.duties.minimum_raise if subject.pack else None
    raised = _raised_to(subject)
    if duty is None or raised is None or _was_closed(subject):
        return
    notice = timedelta(minutes=duty.notice_minutes)
    sign = _sign(subject)
    rest: dict[str, Any] = {"clause": duty.clause, "what": f"The minimum at {subject.table}"}
    if sign is None:
        yield subject.draft("LIMIT-NO-SIGN", required=lasting(notice), found=amount(raised), **rest)
        return
    rest["evidence"] = [sign.index]
    yield from _incomplete(subject, duty, sign, raised, rest)
    stood = sign.stood_until(subject.happened, restarts=duty.removal_restarts_the_clock)
    if stood < notice:
        yield subject.draft("LIMIT-SHORT-NOTICE", required=lasting(notice), found=lasting(stood), **rest)
    change_at, at = sign.shown.change_at, server_instant(subject.happened.entry, subject.at)
    if change_at is not None and at < change_at:
        found, required = subject.clock(at), subject.clock(change_at)
        yield subject.draft("LIMIT-EARLY", required=required, found=found, **rest)


def _incomplete(
    subject: Subject, duty: MinimumRaise, sign: Standing, raised: int, rest: dict[str, Any]
) -> Iterator[Draft]:
    shown = sign.shown
    missing = []
    if "new-minimum" in duty.sign_shows and shown.minimum_cents != raised:
        missing.append(f"the new minimum of {amount(raised)}")
    if "time-of-change" in duty.sign_shows and shown.change_at is None:
        missing.append("the time of the change")
    if missing:
        said = "no minimum" if shown.minimum_cents is None else f"a minimum of {amount(shown.minimum_cents)}"
        found = f"{said} and {f'the time {subject.clock(shown.change_at)}' if shown.change_at else 'no time'}"
        yield subject.draft("LIMIT-SIGN-INCOMPLETE", required=" and ".join(missing), found=found, **rest)


def _raised_to(subject: Subject) -> int | None:
    """The new minimum, if it is above the one before; None otherwise."""
    before, now = subject.before, subject.circumstances
    if subject.happened.kind == "table-facts" and subject.body["name"] != "limits":
        return None
    if not isinstance(before, Circumstances) or now is None:
        return None
    old, new = before.limits.minimum_cents, now.limits.minimum_cents
    return new if old is not None and new is not None and new > old else None


def _was_closed(subject: Subject) -> bool:
    """At a table that is not open nobody plays at the old minimum: it opens at the new one."""
    last = subject.story.last(OPENED, CLOSED)
    return last is not None and last.kind == CLOSED


def _sign(subject: Subject) -> Standing | None:
    """One that stands for this change: whose time had come before the last change was for that one."""
    named = subject.body.sign if subject.happened.kind == CHANGED else None
    sign, last = sign_for(subject.story.happened, "limit-change", named), subject.story.last(CHANGED)
    is_used_up = sign is not None and last is not None and (sign.shown.change_at or last.at) < last.at
    return None if is_used_up else sign


CHECKS = (
    OverTime(
        frozenset({"LIMIT-NO-SIGN", "LIMIT-SHORT-NOTICE", "LIMIT-SIGN-INCOMPLETE", "LIMIT-EARLY"}),
        frozenset({CHANGED, "table-facts"}),
        judge,
        Looks(SIGN_KINDS | {OPENED, CLOSED, CHANGED}),
    ),
)
