"""A finding recomputed now, from the raw entries, by the rule version it names; and under other readings of it."""

from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass

from compliance.audit.circumstances import Timelines, facts_between, version_used
from compliance.audit.drafts import Draft
from compliance.audit.judging import judge_entries
from compliance.audit.models import Finding
from compliance.audit.packed import KINDS, round_in
from compliance.audit.seen import first_events
from rounds.ledger.following import Recorded, read_entries_at
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.selectors import pack_of

READING = "reading:"
MOST_CASES = 500


@dataclass(frozen=True)
class Reperformed:
    """What came of it. `draft` is what a fresh judgement says; None where it finds nothing.

    `cases` and `same_cases` belong to findings that stand for many wagers.
    """

    finding: Finding
    draft: Draft | None
    rounds: int
    cases: int = 0
    same_cases: int = 0

    @property
    def is_same(self) -> bool:
        if self.finding.check_name.startswith(READING):
            return self.cases > 0 and self.cases == self.same_cases
        return self.draft is not None and _said(self.draft) == _recorded(self.finding)


@dataclass(frozen=True)
class UnderReading:
    """How the same wager would be judged if a clause were read another way. None: nothing would be found."""

    reading: str
    clause: str
    choice: str
    is_adopted: bool
    draft: Draft | None


def _said(draft: Draft) -> tuple[object, ...]:
    return (draft.code, draft.sentence, draft.clause, draft.required_cents, draft.found_cents, draft.explanation)


def _recorded(one: Finding) -> tuple[object, ...]:
    return (one.code, one.sentence, one.clause, one.required_cents, one.found_cents, tuple(one.explanation))


def can_be_reperformed(finding: Finding) -> bool:
    """What one round decides under a version; findings about a table's day or the feed are not of that kind."""
    return finding.version is not None


def reperform(finding: Finding) -> Reperformed:
    assert finding.version is not None
    if finding.check_name.startswith(READING):
        return _reperform_cases(finding, finding.version)
    entries = _rounds(finding.log, [finding.subject_index])
    drafts = _judge(finding, entries, finding.version)
    return Reperformed(finding, _about(finding, drafts), len(entries))


def _reperform_cases(finding: Finding, version: RuleVersion) -> Reperformed:
    cases = list(finding.cases.order_by("subject_index", "wager")[:MOST_CASES])
    entries = _rounds(finding.log, sorted({case.subject_index for case in cases}))
    reading = tuple(finding.check_name.removeprefix(READING).split("=", 1))
    found = {
        (draft.index, draft.wager): draft for draft in _judge(finding, entries, version) if draft.reading == reading
    }
    same = sum(
        (draft := found.get((case.subject_index, case.wager))) is not None
        and (draft.required_cents, draft.found_cents) == (case.required_cents, case.found_cents)
        for case in cases
    )
    return Reperformed(finding, next(iter(found.values()), None), len(entries), len(cases), same)


def under_readings(finding: Finding) -> Iterator[UnderReading]:
    """Each choice of each reading that the version knows, the others as adopted; the facts are read once."""
    version = finding.version
    if version is None or finding.check_name.startswith(READING):
        return
    entries = _rounds(finding.log, [finding.subject_index])
    if not entries:
        return
    facts = _Facts(finding, entries)
    for name, reading in pack_of(version).readings.items():
        for choice in reading.choices:
            is_adopted = version.readings.get(name, reading.default) == choice
            tried = _with_readings(version, {name: choice})
            draft = _about(finding, judge_entries(finding.log, entries, facts.under(tried)))
            yield UnderReading(name, reading.clause, choice, is_adopted, draft)


def _with_readings(version: RuleVersion, changed: Mapping[str, str]) -> RuleVersion:
    """A copy that is never saved."""
    tried = copy(version)
    tried.readings = version.readings | dict(changed)
    return tried


class _Facts:
    """What held at the table while these rounds were played, for any version that is tried on them."""

    def __init__(self, finding: Finding, entries: list[Recorded]) -> None:
        rounds = [played for played in map(round_in, entries) if played is not None]
        instants = [at for played in rounds for at in first_events(played).values()]
        tables = {entry.table or "" for entry in entries}
        self.facts = facts_between(finding.casino, tables, min(instants), max(instants)) if instants else []

    def under(self, version: RuleVersion) -> Timelines:
        return Timelines(self.facts, [version_used(version, is_always=True)])


def _rounds(log: str, indexes: list[int]) -> list[Recorded]:
    return [entry for entry in read_entries_at(log, indexes) if entry.kind in KINDS]


def _judge(finding: Finding, entries: list[Recorded], version: RuleVersion) -> list[Draft]:
    return judge_entries(finding.log, entries, _Facts(finding, entries).under(version)) if entries else []


def _about(finding: Finding, drafts: list[Draft]) -> Draft | None:
    """Of what is said of the same wager by the same check; a reading takes the place of a plain settlement."""
    same = [draft for draft in drafts if draft.wager == finding.wager and draft.check == finding.check_name]
    return same[0] if same else None
