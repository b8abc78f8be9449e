"""Evaluates a finding again from the raw entries, under its rule version and under other readings of it."""

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass

from compliance.audit.context.finding_draft import FindingDraft, explanation_text
from compliance.audit.context.rules_in_force import RulesTimeline, facts_between, version_in_force_from
from compliance.audit.context.stored_entries import StoredEntries
from compliance.audit.models import Finding
from compliance.audit.projections.rounds import ROUND_KINDS, round_from_entry
from compliance.audit.run.evaluate import evaluate_entries
from rounds.engine import first_event_times
from rounds.ledger import LogEntry, read_entries_at
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.selectors import pack_of

READING_PREFIX = "reading:"
MAX_CASES = 500


@dataclass(frozen=True)
class RecheckResult:
    """`draft` is the finding of the recheck; None if it finds nothing.

    `cases` and `same_cases` are for findings that stand for many wagers.
    """

    finding: Finding
    draft: FindingDraft | None
    rounds: int
    cases: int = 0
    same_cases: int = 0

    @property
    def is_same(self) -> bool:
        if self.finding.check_name.startswith(READING_PREFIX):
            return self.cases > 0 and self.cases == self.same_cases
        return (
            self.draft is not None
            and _compared_values(self.draft) == _compared_values(self.finding)
            and self.explanation == self.recorded_explanation
        )

    @property
    def recorded_explanation(self) -> list[str]:
        return self._in_local_time(self.finding.explanation)

    @property
    def explanation(self) -> list[str]:
        return self._in_local_time(self.draft.explanation) if self.draft else []

    @property
    def draft_sentence(self) -> str:
        return self.finding.in_local_time(self.draft.sentence) if self.draft else ""

    def _in_local_time(self, explanation: Iterable[str]) -> list[str]:
        return [self.finding.in_local_time(text) for text in explanation_text(self.finding.version, explanation)]


@dataclass(frozen=True)
class ReadingResult:
    """How the same wager is evaluated if a clause is read differently. None means no finding."""

    reading: str
    clause: str
    choice: str
    is_adopted: bool
    draft: FindingDraft | None


def _compared_values(one: FindingDraft | Finding) -> tuple[object, ...]:
    return one.code, one.sentence, one.clause, one.required_cents, one.found_cents


def can_be_rechecked(finding: Finding) -> bool:
    """Only findings that one round decides under a rule version; not those about a table's day or the feed."""
    return finding.version is not None


def recheck_finding(finding: Finding) -> RecheckResult:
    assert finding.version is not None
    if finding.check_name.startswith(READING_PREFIX):
        return _recheck_cases(finding, finding.version)
    entries = _round_entries(finding.log, [finding.subject_index])
    drafts = _evaluate_entries(finding, entries, finding.version)
    return RecheckResult(finding, _matching_draft(finding, drafts), len(entries))


def _recheck_cases(finding: Finding, version: RuleVersion) -> RecheckResult:
    cases = list(finding.cases.order_by("subject_index", "wager")[:MAX_CASES])
    entries = _round_entries(finding.log, sorted({case.subject_index for case in cases}))
    reading = tuple(finding.check_name.removeprefix(READING_PREFIX).split("=", 1))
    drafts = {
        (draft.index, draft.wager): draft
        for draft in _evaluate_entries(finding, entries, version)
        if draft.reading == reading
    }
    same = sum(
        (draft := drafts.get((case.subject_index, case.wager))) is not None
        and (draft.required_cents, draft.found_cents) == (case.required_cents, case.found_cents)
        for case in cases
    )
    return RecheckResult(finding, next(iter(drafts.values()), None), len(entries), len(cases), same)


def recheck_under_readings(finding: Finding) -> Iterator[ReadingResult]:
    """Each choice of each reading of the version, with the other readings as adopted. The facts are read once."""
    version = finding.version
    if version is None or finding.check_name.startswith(READING_PREFIX):
        return
    entries = _round_entries(finding.log, [finding.subject_index])
    if not entries:
        return
    facts = _TableFacts(finding, entries)
    for name, reading in pack_of(version).readings.items():
        for choice in reading.choices:
            is_adopted = version.readings.get(name, reading.default) == choice
            tried = _version_with_readings(version, {name: choice})
            draft = _matching_draft(
                finding, evaluate_entries(StoredEntries(finding.casino), entries, facts.timelines_with_readings(tried))
            )
            yield ReadingResult(name, reading.clause, choice, is_adopted, draft)


def _version_with_readings(version: RuleVersion, changed: Mapping[str, str]) -> RuleVersion:
    """An unsaved copy."""
    tried = copy(version)
    tried.readings = version.readings | dict(changed)
    return tried


class _TableFacts:
    """Facts of the table while these rounds were played, for evaluation under any version."""

    def __init__(self, finding: Finding, entries: list[LogEntry]) -> None:
        rounds = [played for played in map(round_from_entry, entries) if played is not None]
        instants = [at for played in rounds for at in first_event_times(played).values()]
        tables = {entry.table or "" for entry in entries}
        self.facts = facts_between(finding.casino, tables, min(instants), max(instants)) if instants else []

    def timelines_with_readings(self, version: RuleVersion) -> RulesTimeline:
        return RulesTimeline(self.facts, [version_in_force_from(version, is_always=True)])


def _round_entries(log: str, indexes: list[int]) -> list[LogEntry]:
    return [entry for entry in read_entries_at(log, indexes) if entry.kind in ROUND_KINDS]


def _evaluate_entries(finding: Finding, entries: list[LogEntry], version: RuleVersion) -> list[FindingDraft]:
    return (
        evaluate_entries(
            StoredEntries(finding.casino), entries, _TableFacts(finding, entries).timelines_with_readings(version)
        )
        if entries
        else []
    )


def _matching_draft(finding: Finding, drafts: list[FindingDraft]) -> FindingDraft | None:
    """The draft of the same check about the same wager."""
    same = [draft for draft in drafts if draft.wager == finding.wager and draft.check == finding.check_name]
    return same[0] if same else None
