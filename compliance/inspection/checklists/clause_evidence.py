"""Evidence of the audit for each clause of a rule version in a period: the checks on it and their findings."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q

from compliance.audit.checks.applicability import Applicability, codes_by_clause
from compliance.audit.models import Finding, FindingQuerySet, PackedRound
from compliance.audit.selectors import audited_up_to
from compliance.core.accounts.models import Casino
from compliance.core.web.ui.components import Tag
from rounds.engine import pack as engine_pack
from rounds.floor.fact_catalogue import NAME_BY_VALUE_TYPE
from rounds.floor.fact_values import TableRulesValue
from rounds.floor.models import Fact
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.selectors import pack_of


@dataclass(frozen=True)
class ClauseEvidence:
    """Evidence for one clause. `codes` are the finding codes bound to it, each with its applicability under this
    version."""

    place: int
    clause: str
    entry: engine_pack.ClauseEntry
    codes: Mapping[str, Applicability]
    cited: int
    by_code: Mapping[str, int]
    rounds: int

    @property
    def is_checked(self) -> bool:
        return any(one in (Applicability.APPLIES, Applicability.OWN) for one in self.codes.values())

    @property
    def is_informative(self) -> bool:
        """Whether the clause map says that it only defines or describes: it settles nothing, asks for no act and for no
        record (class I alone, without a binding)."""
        return self.entry.classes == ("I",) and not self.entry.bind

    @property
    def has_no_evidence(self) -> bool:
        return bool(self.codes) and all(one == Applicability.SILENT for one in self.codes.values())

    @property
    def sentence(self) -> str:
        """Summary for lists, the signed answer and the PDF."""
        if not self.codes:
            return "No check bears on this clause."
        if self.has_no_evidence:
            return "Silent: the document does not say what its checks would need."
        if not self.is_checked:
            return "Its checks do not arise in this game."
        number = f"{self.cited:,} findings cite" if self.cited > 1 else "1 finding cites"
        found = f"{number} it" if self.cited else "no finding cites it"
        return f"{self.rounds:,} round{'' if self.rounds == 1 else 's'} audited; {found}."

    @property
    def tag(self) -> Tag:
        if self.cited:
            return Tag(f"{self.cited:,} finding{'' if self.cited == 1 else 's'}", "danger")
        if self.has_no_evidence:
            return Tag("Silent", "warning")
        return Tag("Nothing found", "success") if self.is_checked else Tag("Not checked", "neutral")


def load_clause_evidence(version: RuleVersion, since: datetime, until: datetime) -> list[ClauseEvidence]:
    """All clauses of the version's document, in its order. A fixed number of queries."""
    pack = pack_of(version)
    cited: dict[str, int] = defaultdict(int)
    by_code: dict[str, int] = defaultdict(int)
    counted = (
        findings_under_version(version, since, until).order_by().values("clause", "code").annotate(number=Count("pk"))
    )
    for row in counted:
        cited[row["clause"]] += row["number"]
        by_code[row["code"]] += row["number"]
    rounds, bound = count_audited_rounds(version, since, until), codes_by_clause(pack)

    def evidence_for(place: int, clause: str) -> ClauseEvidence:
        codes = {one.code.name: one.bearing for one in bound[clause]}
        own = {name: by_code[name] for name in codes if by_code.get(name)}
        return ClauseEvidence(place, clause, pack.clauses[clause], codes, cited[clause], own, rounds)

    return [evidence_for(place, clause) for place, clause in enumerate(pack.clauses, 1)]


def findings_under_version(version: RuleVersion, since: datetime, until: datetime) -> FindingQuerySet:
    """Standing findings of a period under this version."""
    return Finding.objects.current().filter(casino=version.casino_id, version=version, at__gte=since, at__lt=until)


def count_audited_rounds(version: RuleVersion, since: datetime, until: datetime) -> int:
    """Number of rounds of a period audited under this version."""
    up_to = audited_up_to(version.casino.slug) or 0
    intervals = table_intervals_under(version, since, until)
    if not intervals:
        return 0
    played = Q()
    for table, first, last in intervals:
        played |= Q(table=table, started_at__gte=first, started_at__lt=last)
    rounds = PackedRound.objects.filter(played, log=version.casino.slug, entry_index__lt=up_to, taken_back_index=None)
    return rounds.count()


def table_intervals_under(
    version: RuleVersion, since: datetime, until: datetime
) -> list[tuple[str, datetime, datetime]]:
    """When each table played under this version in a period, from one statement of its rules to the next."""
    if version.effective_at is None:
        return []
    begin, end = max(since, version.effective_at), min(until, _version_ends_at(version) or until)
    intervals: list[tuple[str, datetime, datetime]] = []
    for table, stated in _rules_by_table(version.casino).items():
        for number, (from_at, rules) in enumerate(stated):
            to_at = stated[number + 1][0] if number + 1 < len(stated) else end
            first, last = max(begin, from_at), min(end, to_at)
            if rules == version.rules and first < last:
                intervals.append((table, first, last))
    return intervals


def _version_ends_at(version: RuleVersion) -> datetime | None:
    later = RuleVersion.objects.approved().filter(
        casino=version.casino_id, rules=version.rules, effective_at__gt=version.effective_at
    )
    return later.order_by("effective_at").values_list("effective_at", flat=True).first()


def _rules_by_table(casino: Casino) -> Mapping[str, list[tuple[datetime, str]]]:
    """The rules stated for each table and their start. Of two with the same start, the last recorded counts."""
    rows = Fact.objects.not_retracted().filter(
        casino=casino, name=NAME_BY_VALUE_TYPE[TableRulesValue], terminal=None, table__isnull=False
    )
    stated: dict[str, dict[datetime, str]] = defaultdict(dict)
    for fact in rows.select_related("table").order_by("effective_at", "recorded_at", "pk"):
        value = fact.parse_value()
        if fact.table is not None and isinstance(value, TableRulesValue):
            stated[fact.table.slug][fact.effective_at] = value.rules
    return {table: sorted(facts.items()) for table, facts in stated.items()}
