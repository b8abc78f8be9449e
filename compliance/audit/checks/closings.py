"""A table that closed: on players only after a sign that stood long enough, and after telling whom the rules name."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from compliance.audit.checks.people import means
from compliance.audit.checks.signs import SIGN_KINDS, sign_for
from compliance.audit.checks.ways_in import OverTime
from compliance.audit.drafts import Draft, lasting
from compliance.audit.stories import Looks, Subject

OPENED, CLOSED = "table-opened", "table-closed"


def judge_sign(subject: Subject) -> Iterator[Draft]:
    duty = subject.pack.duties.closure_sign if subject.pack else None
    if duty is None or not _applies(subject, duty.applies_when):
        return
    notice, at = timedelta(minutes=duty.notice_minutes), subject.clock(subject.at)
    # A sign that announced an earlier closing has done its work.
    sign = sign_for(subject.story.since(OPENED, CLOSED), "closure", subject.body.sign)
    shows_time = sign is not None and (sign.shown.closure_at is not None or "time-of-closure" not in duty.sign_shows)
    if sign is None or not shows_time:
        evidence = [] if sign is None else [sign.index]
        why = () if sign is None else ("A closure sign stood, but it did not say when the table would close.",)
        yield subject.draft(
            "CLOSE-NO-SIGN", required=lasting(notice), found=at, clause=duty.clause, evidence=evidence, explanation=why
        )
        return
    stood = sign.stood_until(subject.happened, restarts=duty.removal_restarts_the_clock)
    if stood < notice:
        yield subject.draft(
            "CLOSE-SHORT-NOTICE", required=lasting(notice), found=lasting(stood), clause=duty.clause,
            evidence=[sign.index],
        )  # fmt: skip


def _applies(subject: Subject, when: tuple[str, ...]) -> bool:
    body = subject.body
    return (body.players_present and "players-present" in when) or (
        body.streak_in_progress and "streak-in-progress" in when
    )


def judge_told(subject: Subject) -> Iterator[Draft]:
    """Told before the closing; how long before, the document does not say."""
    pack = subject.pack
    duty = pack.duties.closure_notification if pack else None
    if pack is None or duty is None:
        return
    positions = means(pack, duty.told)
    if not any(told.position in positions and told.at < subject.at for told in subject.body.told):
        yield subject.draft("CLOSE-OFFICER", required=duty.told, found=subject.clock(subject.at), clause=duty.clause)


CHECKS = (
    OverTime(
        frozenset({"CLOSE-NO-SIGN", "CLOSE-SHORT-NOTICE"}), frozenset({CLOSED}), judge_sign,
        Looks(SIGN_KINDS | {OPENED, CLOSED}),
    ),
    OverTime(frozenset({"CLOSE-OFFICER"}), frozenset({CLOSED}), judge_told, Looks()),
)  # fmt: skip
