"""A version tried over history: which settlements it would judge otherwise, in money, writing nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from compliance.accounts.models import Casino
from compliance.audit.drafts import Draft
from compliance.audit.judging import judge_stretch
from compliance.audit.models import Block
from compliance.audit.packed import KINDS, round_in
from compliance.audit.selectors import audited_up_to
from rounds.ledger.following import read_entries_at
from rounds.ledger.models import Entry
from rounds.rulebook.models import RuleVersion


@dataclass(frozen=True)
class Difference:
    """One thing that would be judged otherwise. None: there would be, or there is, nothing to find."""

    now: Draft | None
    then: Draft | None
    # The box it was wagered on; empty for what is about no single wager.
    bet: str = ""

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


def rounds_waiting(casino: Casino) -> int:
    """Recorded and not audited yet, so that no version was tried over them."""
    waiting = Entry.objects.filter(log__slug=casino.slug, kind__in=KINDS, index__gte=audited_up_to(casino.slug) or 0)
    return waiting.count()


def _differences(casino: Casino, version: RuleVersion, first: int, last: int) -> Iterator[Difference]:
    now = {_place(draft): draft for draft in judge_stretch(casino, first, last).drafts}
    then = {_place(draft): draft for draft in judge_stretch(casino, first, last, instead=version).drafts}
    both = ((now.get(place), then.get(place)) for place in sorted(now.keys() | then.keys()))
    found = [Difference(before, after) for before, after in both if _said(before) != _said(after)]
    bets = _bets(casino.slug, {each.subject.index for each in found if each.subject.wager})
    for each in found:
        yield replace(each, bet=bets.get((each.subject.index, each.subject.wager), ""))


def _bets(log: str, indexes: set[int]) -> dict[tuple[int, str], str]:
    """By round and wager. One query, none where no wager is concerned."""
    entries = read_entries_at(log, indexes) if indexes else []
    rounds = ((entry.index, round_in(entry)) for entry in entries if entry.kind in KINDS)
    return {(index, wager.id): wager.bet for index, played in rounds if played for wager in played.wagers}


def _place(draft: Draft) -> tuple[int, str, str]:
    # Of a reading and a plain settlement only one can be said of a wager.
    return draft.index, draft.wager, "settlement" if draft.reading else draft.check


def _said(draft: Draft | None) -> tuple[object, ...] | None:
    return None if draft is None else (draft.code, draft.required_cents, draft.found_cents, draft.reading)
