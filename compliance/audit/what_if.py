"""A version tried over history: which settlements it would judge otherwise, in money, writing nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from compliance.accounts.models import Casino
from compliance.audit.drafts import Draft
from compliance.audit.judging import judge_stretch
from compliance.audit.models import Block
from rounds.rulebook.models import RuleVersion


@dataclass(frozen=True)
class Difference:
    """One thing that would be judged otherwise. None: there would be, or there is, nothing to find."""

    now: Draft | None
    then: Draft | None

    @property
    def subject(self) -> Draft:
        found = self.then or self.now
        assert found is not None
        return found

    @property
    def at_stake_cents(self) -> int:
        """By how much what is due would rise above what is due now, where both are known."""
        subject = self.subject
        due_now = self.now.required_cents if self.now else subject.found_cents
        due_then = self.then.required_cents if self.then else subject.found_cents
        return (due_then or 0) - (due_now or 0)


def try_version(casino: Casino, version: RuleVersion, first: int, last: int) -> Iterator[Difference]:
    """Over entries first..last-1, a block at a time. The version then governs every round played by its rules."""
    blocks = Block.objects.filter(log=casino.slug, audited_to__gt=first).order_by("number")
    for block in blocks:
        begin, end = max(first, block.first), min(last, block.audited_to)
        if begin < end:
            yield from _differences(casino, version, begin, end)


def _differences(casino: Casino, version: RuleVersion, first: int, last: int) -> Iterator[Difference]:
    now = {_place(draft): draft for draft in judge_stretch(casino, first, last).drafts}
    then = {_place(draft): draft for draft in judge_stretch(casino, first, last, instead=version).drafts}
    for place in sorted(now.keys() | then.keys()):
        before, after = now.get(place), then.get(place)
        if _said(before) != _said(after):
            yield Difference(before, after)


def _place(draft: Draft) -> tuple[int, str, str]:
    # Of a reading and a plain settlement only one can be said of a wager.
    return draft.index, draft.wager, "settlement" if draft.reading else draft.check


def _said(draft: Draft | None) -> tuple[object, ...] | None:
    return None if draft is None else (draft.code, draft.required_cents, draft.found_cents, draft.reading)
