"""Withdrawal of sign-offs, signed answers and checks of sampled rounds.

A checklist whose sign-off was withdrawn stays as it was signed. To correct it, begin one that supersedes it: it starts
from the answers that were not withdrawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from compliance.core.accounts.models import User
from compliance.core.accounts.roles import GOVERNMENT_ROLES
from compliance.core.corrections.registry import CorrectableRecord, find_row, register_correctable
from compliance.core.web.ui.links import casino_url
from compliance.inspection.checklists import entry_kinds
from compliance.inspection.checklists.models import Checklist, ClauseAnswer, RoundCheck, SampledRound, SignOff
from rounds.ledger import LogEntry


def register() -> None:
    register_correctable(
        CorrectableRecord(
            kind=entry_kinds.SIGNED,
            writers=GOVERNMENT_ROLES,
            find=find_row(SignOff, "checklist__casino"),
            page=lambda sign_off: _page(sign_off.checklist),
        ),
        CorrectableRecord(
            kind=entry_kinds.ANSWERED,
            writers=GOVERNMENT_ROLES,
            find=find_row(ClauseAnswer, "checklist__casino"),
            page=lambda answer: _page(answer.checklist),
        ),
        CorrectableRecord(
            kind=entry_kinds.CHECKED,
            writers=GOVERNMENT_ROLES,
            find=_find_check,
            page=lambda check: casino_url(
                "checklists:walk",
                check.sampled.sample.casino,
                sample=check.sampled.sample.entry_index,
                place=check.sampled.place,
            ),
            dependents=_later_checks,
            after=_restore_verdict,
        ),
    )


def _page(checklist: Checklist) -> str:
    return casino_url("checklists:checklist", checklist.casino, checklist=checklist.entry_index)


def _find_check(entry: LogEntry) -> RoundCheck | None:
    check = RoundCheck.recorded.filter(log=entry.log, entry_index=entry.index).first()
    if check is not None:
        rows = SampledRound.objects.select_for_update(no_key=True, of=("self",)).select_related("sample__casino")
        check.sampled = rows.get(pk=check.sampled_id)
    return check


def _later_checks(check: RoundCheck) -> Iterator[str]:
    yield from (f"check {later.number} of the round" for later in check.sampled.checks.filter(number__gt=check.number))


def _restore_verdict(check: RoundCheck, actor: User, now: datetime) -> None:
    """The verdict of the last check that was not withdrawn; none if there is none."""
    last = check.sampled.checks.order_by("-number").first()
    SampledRound.objects.filter(pk=check.sampled_id).update(verdict=last.verdict if last else "")
