"""Read access to findings, coverage and totals. `access_finding` checks the user's roles."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction

from django.db import connection
from django.db.models import Count, Exists, F, Max, Min, OuterRef, Q, Sum
from django.db.models.expressions import RawSQL
from django.db.models.functions import Length

from compliance.audit.catalogue import FAMILIES
from compliance.audit.catalogue.finding_code import Severity
from compliance.audit.catalogue.record_codes import DISPUTE_UPHELD
from compliance.audit.models import (
    BLOCK_ENTRIES,
    Block,
    Coverage,
    DailyBetTotals,
    DailyTotals,
    Finding,
    FindingQuerySet,
    PackedRound,
    ReadingCase,
    ReadingImpact,
    WagerCategory,
)
from compliance.audit.models.record_findings import FINDINGS_OF_RECORDS_SQL, findings_of_records_parameters
from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import GOVERNMENT_ROLES, Role
from compliance.core.web.errors import NotFound
from compliance.disputes.models import DisputedWager, Step
from rounds.intake.columns.round_encoding import WAGER_RECORD
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.selectors import pack_of

MAY_READ = GOVERNMENT_ROLES | {
    Role.COMPLIANCE_OFFICER,
    Role.CASINO_SUPERVISOR,
    Role.GAMES_SUPERVISOR,
    Role.SHIFT_MANAGER,
}
# Marketing reads the findings about its own records.
MARKETING_CODES = tuple(code.name for code in FAMILIES["Promotions"])
MAY_READ_SOME = MAY_READ | {Role.MARKETING}
UNDECIDED = "undecided"
STATES = (("", "Standing"), (UNDECIDED, "Standing, not decided yet"), ("superseded", "Superseded"))


def readable_codes(user: User, casino: Casino) -> tuple[str, ...] | None:
    """The codes whose findings the user may read at a casino. None: all."""
    if user.has_role(*MAY_READ, casino=casino):
        return None
    return MARKETING_CODES if user.has_role(Role.MARKETING, casino=casino) else ()


def access_finding(user: User, casino: Casino, entry_index: int) -> Finding:
    """A finding of a casino that the user may read. Missing and forbidden give the same error."""
    found = Finding.objects.with_rules().filter(casino=casino, entry_index=entry_index)
    codes = readable_codes(user, casino)
    finding = found.first() if codes is None else found.filter(code__in=codes).first()
    if finding is None:
        raise NotFound
    return finding


def casinos_with_findings(user: User) -> list[Casino]:
    """The casinos whose findings the user may read, annotated with the counts `standing` and `serious`."""
    mine = {held.casino.pk for held in user.roles_now() if held.role in MAY_READ}
    stands = Q(findings__superseded_at=None)
    counted = Casino.objects.filter(pk__in=mine).annotate(
        standing=Count("findings", filter=stands),
        serious=Count("findings", filter=stands & Q(findings__severity=Severity.SERIOUS)),
    )
    return list(counted.order_by("name"))


def findings_of(casino: Casino, chosen: Mapping[str, object]) -> FindingQuerySet:
    """The findings of a list page, filtered by the values chosen. Only current findings, unless superseded ones are
    chosen."""
    findings = Finding.objects.filter(casino=casino)
    for field in ("code", "severity"):
        if chosen.get(field):
            findings = findings.filter(**{field: chosen[field]})
    if chosen.get("table"):
        findings = findings.at_table(casino.slug, str(chosen["table"]))
    if chosen.get("since"):
        findings = findings.filter(at__gte=chosen["since"])
    if chosen.get("until"):
        findings = findings.filter(at__lt=chosen["until"])
    if chosen.get("state") == UNDECIDED:
        # A relation of inspection.reviews, which is above the audit; the state is one of its values.
        findings = findings.exclude(review__state="decided")
    return findings.filter(superseded_at__isnull=chosen.get("state") != "superseded")


def findings_by_record(casino: Casino, records: Mapping[int, Collection[int]]) -> dict[int, list[Finding]]:
    """The current findings about each record, by its key. Two queries."""
    pairs = [(record, entry) for record, entries in records.items() for entry in entries]
    with connection.cursor() as cursor:
        cursor.execute(FINDINGS_OF_RECORDS_SQL, findings_of_records_parameters(casino.slug, pairs))
        found = cursor.fetchall()
    current = Finding.objects.current().in_bulk({finding for _, finding in found})
    by_record: dict[int, list[Finding]] = {}
    for record, finding in sorted(set(found)):
        if finding in current:
            by_record.setdefault(record, []).append(current[finding])
    return by_record


def amounts_stated_twice(findings: FindingQuerySet) -> set[int]:
    """Keys of those findings of upheld disputes whose money another of the findings states: that a disputed wager was
    paid too little, or that a later decision of the same dispute was for the patron. For totals of one casino."""
    upheld = {(one.log, one.subject_index): one.pk for one in findings.filter(code=DISPUTE_UPHELD.name)}
    if not upheld:
        return set()
    [log] = {log for log, _ in upheld}
    found = Step.objects.filter(log=log, entry_index__in=[index for _, index in upheld])
    steps = found.select_related("dispute").order_by("entry_index")
    last = {step.dispute_id: step.entry_index for step in steps}
    short = findings.filter(found_cents__lt=F("required_cents")).exclude(wager="")
    rounds = {step.dispute.subject_index for step in steps}
    settled = set(short.filter(subject_index__in=rounds).values_list("subject_index", "wager"))
    disputed = DisputedWager.objects.filter(dispute__in=last).values_list("dispute", "dispute__subject_index", "wager")
    stated = {dispute for dispute, index, wager in disputed if (index, wager) in settled}
    return {
        upheld[log, step.entry_index]
        for step in steps
        if step.dispute_id in stated or step.entry_index != last[step.dispute_id]
    }


# Skip scan from one table to the next in the index. DISTINCT would read every finding to list twenty tables.
TABLES_SQL = """
WITH RECURSIVE named AS (
    (SELECT "table" FROM audit_finding WHERE casino_id = %(casino)s AND "table" > '' ORDER BY "table" LIMIT 1)
    UNION ALL
    SELECT (
        SELECT "table" FROM audit_finding WHERE casino_id = %(casino)s AND "table" > named."table"
        ORDER BY "table" LIMIT 1
    )
    FROM named WHERE named."table" IS NOT NULL
)
SELECT "table" FROM named WHERE "table" IS NOT NULL ORDER BY "table"
"""


def tables_with_findings(casino: Casino) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(TABLES_SQL, {"casino": casino.pk})
        return [slug for (slug,) in cursor.fetchall()]


def tables_with_findings_or_cases(casino: Casino) -> list[str]:
    """Also the tables of the wagers behind grouped findings."""
    grouped = ReadingCase.objects.filter(log=casino.slug).order_by().values_list("table", flat=True).distinct()
    return sorted({*tables_with_findings(casino), *grouped})


@dataclass(frozen=True)
class ReadingAmounts:
    """Totals of the wagers behind a grouped finding: what was returned, and what the adopted reading requires."""

    wagers: int
    found_cents: int
    required_cents: int
    last_at: datetime | None


def reading_amounts(finding: Finding) -> ReadingAmounts:
    total = finding.cases.aggregate(
        wagers=Count("pk"), found=Sum("found_cents"), required=Sum("required_cents"), last_at=Max("at")
    )
    return ReadingAmounts(total["wagers"], total["found"] or 0, total["required"] or 0, total["last_at"])


@dataclass(frozen=True)
class ReadingImpactRow:
    """Impact of one choice that a version does not adopt."""

    reading: str
    choice: str
    wagers: int
    adopted_cents: int
    other_cents: int


def reading_impacts(version: RuleVersion) -> list[ReadingImpactRow]:
    """Every choice not adopted, in the pack's order, with its impact on what was audited so far."""
    impacts = ReadingImpact.objects.filter(version=version).values("reading", "choice")
    summed = impacts.annotate(count=Sum("wagers"), adopted=Sum("adopted_cents"), other=Sum("other_cents")).order_by()
    found = {(row["reading"], row["choice"]): (row["count"], row["adopted"], row["other"]) for row in summed}
    return [
        ReadingImpactRow(name, choice, *found.get((name, choice), (0, 0, 0)))
        for name, reading in pack_of(version).readings.items()
        for choice in reading.choices
        if choice != version.readings[name]
    ]


@dataclass(frozen=True)
class AuditGap:
    """Entries that are known but not audited."""

    first: int
    last: int
    generation: int
    why: str


def audit_gaps(log: str) -> Iterator[AuditGap]:
    for block in Block.objects.filter(log=log).waiting():
        yield AuditGap(block.audited_to, block.known_to, block.generation, block.reopened_because)


def audited_up_to(log: str) -> int | None:
    """Everything below this index is audited; None before the first audit."""
    first_open = Block.objects.filter(log=log).waiting().order_by("number").values_list("audited_to", flat=True).first()
    return _last_audited_index(log) if first_open is None else first_open


def _last_audited_index(log: str) -> int | None:
    return Block.objects.filter(log=log).order_by("-number").values_list("audited_to", flat=True).first()


@dataclass(frozen=True)
class AuditPosition:
    """How far a casino's log is audited. `up_to` is the first index whose audit is not current; None: nothing was
    audited yet. Everything below `once_up_to` was audited, though part of it may be audited again now."""

    up_to: int | None
    once_up_to: int | None
    last_at: datetime | None
    waiting: int
    reopened: int

    @property
    def sentence(self) -> str:
        """For pages and reports: what was audited, what is audited again, and what waits for the first time."""
        if not self.once_up_to:
            return "Nothing was audited yet."
        parts = [f"Every entry below {self.once_up_to:,} was audited"]
        if self.reopened:
            again = f"{self.reopened:,} stretch{' of it is' if self.reopened == 1 else 'es of it are'}"
            parts.append(f"{again} being audited again since a correction, a ruling or a late fact")
        if new := self.waiting - self.reopened:
            parts.append(f"{new:,} stretch{' waits' if new == 1 else 'es wait'} to be audited")
        return f"{'; '.join(parts)}."


@dataclass(frozen=True)
class AuditProgress(AuditPosition):
    """AuditPosition with the number of rounds and wagers audited."""

    rounds: int
    wagers: int


def audit_position(casino: Casino) -> AuditPosition:
    """Two queries, or three if nothing waits."""
    log, is_again = casino.slug, Q(generation__gt=1)
    found = (
        Block.objects.filter(log=log)
        .waiting()
        .aggregate(
            all=Count("pk"),
            reopened=Count("pk", filter=is_again),
            first=Min("audited_to"),
            first_new=Min("audited_to", filter=~is_again),
        )
    )
    up_to = _last_audited_index(log) if found["first"] is None else found["first"]
    ever = Coverage.objects.filter(log=log).aggregate(last=Max("last"), at=Max("audited_at"))
    once = ever["last"] if found["first_new"] is None else min(ever["last"] or 0, found["first_new"])
    return AuditPosition(up_to, once, ever["at"], found["all"], found["reopened"])


def audit_progress(casino: Casino) -> AuditProgress:
    # Only the newest generation, so that rounds of a reopened block are counted once.
    newest = Block.objects.filter(
        log=OuterRef("log"), generation=OuterRef("generation"), number=OuterRef("first") / BLOCK_ENTRIES
    )
    covered = Coverage.objects.filter(Exists(newest), log=casino.slug)
    found = covered.aggregate(rounds=Sum("rounds"), wagers=Sum("wagers"))
    return AuditProgress(**vars(audit_position(casino)), rounds=found["rounds"] or 0, wagers=found["wagers"] or 0)


@dataclass(frozen=True)
class DailyRounds:
    """Rounds at a table on a gaming day, as far as audited. `variance` is in square cents.

    `written` changes when any of it is audited again, or more of it. Cached sums are valid while it is equal.
    """

    gaming_day: date
    table: str
    rounds: int
    without_result: int
    variance: int
    written: tuple[int, int, int]


@dataclass(frozen=True)
class DailyWagers:
    """Totals of wagers of one kind at a table on a gaming day. `returns` None: not compared with the average."""

    gaming_day: date
    table: str
    sort: WagerCategory
    returns: Fraction | None
    wagers: int
    staked_cents: int
    returned_cents: int


# The transaction that wrote a row. Row ids alone repeat when a database is restored from a backup.
ROW_TRANSACTION_ID = RawSQL("audit_playedday.xmin::text::bigint", [])


def daily_rounds(casino: Casino, first: date, last: date) -> list[DailyRounds]:
    """By day and table, in order. One query."""
    rows = DailyTotals.objects.filter(log=casino.slug, gaming_day__range=(first, last)).values("gaming_day", "table")
    summed = rows.annotate(
        all=Sum("rounds"),
        none=Sum("without_result"),
        spread=Sum("variance"),
        rows=Count("pk"),
        numbers=Sum("pk"),
        by=Sum(ROW_TRANSACTION_ID),
    )
    return [
        DailyRounds(
            row["gaming_day"],
            row["table"],
            row["all"],
            row["none"],
            int(row["spread"]),
            (row["rows"], int(row["numbers"]), int(row["by"])),
        )
        for row in summed.order_by("gaming_day", "table")
    ]


def daily_wagers(casino: Casino, days: Collection[date]) -> list[DailyWagers]:
    """By day, table, category and average return, in order. One query."""
    keys = ("gaming_day", "table", "sort", "returns")
    rows = DailyBetTotals.objects.filter(log=casino.slug, gaming_day__in=days).values(*keys)
    summed = rows.annotate(count=Sum("wagers"), staked=Sum("staked_cents"), returned=Sum("returned_cents"))
    return [
        DailyWagers(
            row["gaming_day"],
            row["table"],
            WagerCategory(row["sort"]),
            Fraction(row["returns"]) if row["returns"] else None,
            row["count"],
            int(row["staked"]),
            int(row["returned"]),
        )
        for row in summed.order_by(*keys)
    ]


def entry_range_of_days(log: str, first: date, last: date) -> tuple[int, int] | None:
    """The range of entries that holds these days' rounds, without those taken back. None: no rounds."""
    rounds = PackedRound.objects.filter(log=log, gaming_day__range=(first, last), taken_back_index=None)
    found = rounds.aggregate(first=Min("entry_index"), last=Max("entry_index"))
    return None if found["first"] is None else (found["first"], found["last"] + 1)


def wager_counts_by_round(log: str, first: int, last: int) -> list[tuple[int, int]]:
    """Of entries first..last-1: each round that was not taken back, with its number of wagers."""
    rounds = PackedRound.objects.filter(
        log=log, entry_index__gte=first, entry_index__lt=last, taken_back_index=None
    ).order_by("entry_index")
    return [
        (index, size // WAGER_RECORD.itemsize) for index, size in rounds.values_list("entry_index", Length("wagers"))
    ]


def wager_count_of_days(log: str, first: date, last: date) -> int:
    """The number of wagers on these gaming days."""
    rounds = PackedRound.objects.filter(log=log, gaming_day__range=(first, last), taken_back_index=None)
    return (rounds.aggregate(size=Sum(Length("wagers")))["size"] or 0) // WAGER_RECORD.itemsize
