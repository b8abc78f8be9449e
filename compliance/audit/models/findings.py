"""What the audit records (coverage, findings, the impact of readings) and its work list (blocks)."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from django.contrib.postgres.aggregates import ArrayAgg
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Count, F, OuterRef, Q, Subquery, Sum
from django.db.models.expressions import RawSQL
from django.db.models.functions import JSONObject

from compliance.audit.catalogue import code_named
from compliance.audit.catalogue.finding_code import FindingCode, Severity
from compliance.audit.models.record_findings import FINDINGS_OF_RECORDS_SQL, findings_of_records_parameters
from compliance.core.accounts.models import Casino
from compliance.core.web.local_time import with_local_clocks
from compliance.core.web.ui.links import casino_url
from rounds.ledger import LedgerModel, encode_timestamp
from rounds.rulebook.models import RuleVersion

APPEND_ONLY = ("SELECT", "INSERT")
INSERT_AND_UPDATE = ("SELECT", "INSERT", "UPDATE")
BLOCK_ENTRIES = 2048
CODE_FORMAT = r"^[A-Z]+(-[A-Z0-9]+)+$"


class Coverage(LedgerModel):
    """Entries first..last-1 of a log were audited, under which rules, with which result.

    Written by the audit in one transaction with its findings; never changed, kept for ever. Ranges of one generation of
    a block never overlap. A range that is audited again gets another row with the next generation.
    """

    app_privileges = APPEND_ONLY

    first = models.BigIntegerField()
    last = models.BigIntegerField()
    generation = models.PositiveIntegerField()
    # Each rule version used, with its readings and the digest of what the engine pays under them.
    versions = models.JSONField()
    engine_sha256 = models.CharField(max_length=64)
    result_sha256 = models.CharField(max_length=64)
    rounds = models.PositiveIntegerField()
    wagers = models.PositiveIntegerField()
    findings = models.PositiveIntegerField()
    audited_at = models.DateTimeField()

    objects = models.Manager()

    class Meta(LedgerModel.Meta):
        ordering: ClassVar = ["log", "first", "generation"]
        indexes: ClassVar = [models.Index(fields=["log", "first", "last"], name="audit_coverage_range")]
        constraints: ClassVar = [
            *LedgerModel.Meta.constraints,
            models.UniqueConstraint(fields=["log", "first", "generation"], name="audit_coverage_begins_once"),
            models.CheckConstraint(condition=Q(first__gte=0, last__gt=F("first")), name="audit_coverage_has_entries"),
        ]

    def __str__(self) -> str:
        return f"{self.log} {self.first} to {self.last - 1}"

    def entry_body(self) -> Mapping[str, Any]:
        return {
            "first": self.first,
            "last": self.last,
            "generation": self.generation,
            "versions": self.versions,
            "engine_sha256": self.engine_sha256,
            "result_sha256": self.result_sha256,
            "rounds": self.rounds,
            "wagers": self.wagers,
            "findings": self.findings,
            "audited_at": encode_timestamp(self.audited_at),
        }


class FindingQuerySet(models.QuerySet["Finding"]):
    def current(self) -> "FindingQuerySet":
        return self.filter(superseded_at=None)

    def with_rules(self) -> "FindingQuerySet":
        return self.select_related("casino", "version", "version__casino", "superseded_by")

    def with_case_totals(self) -> "FindingQuerySet":
        """Adds `case_totals`: number, tables and amounts of the wagers behind a grouped finding; None for others."""
        totals = JSONObject(
            wagers=Count("pk"),
            required_cents=Sum("required_cents"),
            found_cents=Sum("found_cents"),
            tables=ArrayAgg("table", distinct=True, order_by="table"),
        )
        cases = ReadingCase.objects.filter(finding=OuterRef("pk")).order_by().values("finding")
        return self.annotate(case_totals=Subquery(cases.annotate(totals=totals).values("totals")))

    def about(self, log: str, entries: Collection[int]) -> "FindingQuerySet":
        """Current findings about records of which these are the entries, as catalogue/record_subjects.py states; and
        grouped ones with a wager of them."""
        parameters = findings_of_records_parameters(log, ((0, entry) for entry in entries))
        wanted = f"SELECT finding FROM ({FINDINGS_OF_RECORDS_SQL}) of_records"  # noqa: S608 - both parts are of the source
        found = RawSQL(wanted, parameters)  # noqa: S611 - PostgreSQL gets the parameters apart
        return self.current().filter(pk__in=found)

    def at_table(self, log: str, table: str) -> "FindingQuerySet":
        """Findings about a table of a log, and grouped ones with a wager there. Two queries, so that the index on
        tables is used."""
        cases = ReadingCase.objects.filter(log=log, table=table)
        grouped = list(cases.order_by().values_list("finding", flat=True).distinct())
        return self.filter(Q(table=table) | Q(pk__in=grouped))


class Finding(LedgerModel):
    """Something is not as the rules say. Its subject is an entry of the log, or one wager of it.

    Written by the audit together with its entry. Never changed, except that it can be superseded once, by an entry of
    its own, when the range is audited again after a correction, a ruling or a late fact. Kept for ever.
    """

    entry_time = "found_at"

    app_privileges = INSERT_AND_UPDATE

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="findings")
    code = models.CharField(max_length=32)
    severity = models.CharField(max_length=8)
    check_name = models.CharField(max_length=60)
    subject_index = models.BigIntegerField()
    wager = models.CharField(max_length=64, blank=True)
    table = models.CharField(max_length=50, blank=True)
    at = models.DateTimeField()
    version = models.ForeignKey(RuleVersion, models.PROTECT, null=True, blank=True, related_name="findings")
    clause = models.CharField(max_length=80, blank=True)
    sentence = models.TextField()
    required_cents = models.BigIntegerField(null=True, blank=True)
    found_cents = models.BigIntegerField(null=True, blank=True)
    is_silent = models.BooleanField(default=False)
    evidence = models.JSONField()
    explanation = models.JSONField()
    found_at = models.DateTimeField()
    superseded_at = models.DateTimeField(null=True, blank=True)
    superseded_index = models.BigIntegerField(null=True, blank=True)
    superseded_reason = models.CharField(max_length=300, blank=True)
    superseded_by = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="supersedes")

    objects = FindingQuerySet.as_manager()

    class Meta(LedgerModel.Meta):
        ordering: ClassVar = ["-at", "-pk"]
        indexes: ClassVar = [
            models.Index(fields=["casino", "-at", "-id"], name="audit_finding_of_casino"),
            models.Index(fields=["casino", "code", "-at"], name="audit_finding_by_code"),
            models.Index(fields=["casino", "table"], name="audit_finding_by_table"),
            models.Index(fields=["log", "subject_index"], name="audit_finding_subject"),
            models.Index(fields=["log", "superseded_index"], name="audit_finding_superseded"),
            GinIndex(fields=["evidence"], name="audit_finding_evidence", opclasses=["jsonb_path_ops"]),
        ]
        constraints: ClassVar = [
            *LedgerModel.Meta.constraints,
            models.UniqueConstraint(
                fields=["log", "subject_index", "wager", "check_name", "version"],
                condition=Q(superseded_at=None),
                nulls_distinct=False,
                name="audit_finding_once",
            ),
            # The format only, so that a new code needs no migration. verify.py compares codes with the catalogue.
            models.CheckConstraint(condition=Q(code__regex=CODE_FORMAT), name="audit_finding_code_format"),
            models.CheckConstraint(condition=Q(severity__in=list(Severity)), name="audit_finding_severity_known"),
            models.CheckConstraint(
                condition=Q(superseded_at=None, superseded_index=None, superseded_reason="", superseded_by=None)
                | Q(superseded_at__gte=F("found_at"), superseded_index__isnull=False) & ~Q(superseded_reason=""),
                name="audit_finding_superseded_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.code} at {self.log}/{self.subject_index}"

    @property
    def code_details(self) -> FindingCode:
        return code_named(self.code)

    @property
    def scope(self) -> "FindingScope":
        """What it is about. Only for findings read with FindingQuerySet.with_case_totals."""
        totals: dict[str, Any] | None = vars(self)["case_totals"]
        if totals is not None:
            return FindingScope(**totals)
        tables = [self.table] if self.table else []
        return FindingScope(tables, None, self.required_cents, self.found_cents)

    def get_absolute_url(self) -> str:
        return casino_url("audit:finding", self.log, finding=self.entry_index)

    def in_local_time(self, text: str, place: Casino | None = None) -> str:
        """A sentence of the finding with the casino's local times instead of times in UTC, as pages show it."""
        return with_local_clocks(text, self.at, place or self.casino)

    @property
    def local_sentence(self) -> str:
        return self.in_local_time(self.sentence)

    def entry_body(self) -> Mapping[str, Any]:
        return {
            "code": self.code,
            "severity": self.severity,
            "check": self.check_name,
            "subject": self.subject_index,
            "wager": self.wager,
            "table": self.table,
            "at": encode_timestamp(self.at),
            "version": self.version_id,
            "clause": self.clause,
            "sentence": self.sentence,
            "required_cents": self.required_cents,
            "found_cents": self.found_cents,
            "is_silent": self.is_silent,
            "evidence": self.evidence,
            "explanation": self.explanation,
        }

    def superseded_body(self) -> Mapping[str, Any]:
        return {"finding": self.entry_index, "code": self.code, "reason": self.superseded_reason}


@dataclass(frozen=True)
class FindingScope:
    """The tables that a finding is about, and both amounts. Those of a grouped finding are the totals of its `wagers`,
    which is None for a finding about one subject."""

    tables: list[str]
    wagers: int | None
    required_cents: int | None
    found_cents: int | None


@dataclass(frozen=True)
class SupersededFinding:
    """The entry that superseded a finding, as a row for `verify_ledger` to compare."""

    finding: Finding

    @property
    def entry_index(self) -> int:
        assert self.finding.superseded_index is not None
        return self.finding.superseded_index

    def entry_body(self) -> Mapping[str, Any]:
        return self.finding.superseded_body()


def superseded_between(log: str, first: int, last: int) -> Iterable[SupersededFinding]:
    rows = Finding.objects.filter(log=log, superseded_index__gte=first, superseded_index__lt=last)
    return (SupersededFinding(row) for row in rows)


class ReadingCase(models.Model):
    """One wager that was settled by a reading which is not adopted: a case behind a grouped finding.

    Written by the audit; deleted and written again when its range is audited again. Coverage.result_sha256 covers it.
    """

    finding = models.ForeignKey(Finding, models.PROTECT, related_name="cases")
    log = models.TextField()
    subject_index = models.BigIntegerField()
    wager = models.CharField(max_length=64)
    table = models.CharField(max_length=50)
    at = models.DateTimeField()
    choice = models.CharField(max_length=80)
    required_cents = models.BigIntegerField()
    found_cents = models.BigIntegerField()

    class Meta:
        ordering: ClassVar = ["subject_index", "wager"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["finding", "subject_index", "wager"], name="audit_reading_case_once"),
        ]
        indexes: ClassVar = [models.Index(fields=["log", "subject_index"], name="audit_reading_case_subject")]

    def __str__(self) -> str:
        return f"{self.log}/{self.subject_index} {self.wager}"


class ReadingImpact(models.Model):
    """Impact of a reading in one audited range: the wagers that another choice would settle differently, and the money.

    Written by the audit; deleted and written again when its range is audited again. Coverage.result_sha256 covers it.
    """

    log = models.TextField()
    # First entry of the audited range.
    first = models.BigIntegerField()
    version = models.ForeignKey(RuleVersion, models.PROTECT, related_name="reading_weights")
    reading = models.CharField(max_length=80)
    choice = models.CharField(max_length=80)
    wagers = models.BigIntegerField()
    adopted_cents = models.BigIntegerField()
    other_cents = models.BigIntegerField()

    class Meta:
        db_table = "audit_readingweight"
        ordering: ClassVar = ["log", "first", "reading", "choice"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["log", "first", "version", "reading", "choice"], name="audit_reading_weight_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.log}/{self.first} {self.reading}={self.choice}"


class BlockQuerySet(models.QuerySet["Block"]):
    def waiting(self) -> "BlockQuerySet":
        return self.filter(audited_to__lt=F("known_to"))


class Block(models.Model):
    """A block of BLOCK_ENTRIES entries as an item of the work list: how far it is known and how far audited.

    Current state, updated in place: the consumer creates and extends it, the worker that audits it locks its row.
    Reopening it starts a new generation. Never deleted; the history of audits is in Coverage.
    """

    app_privileges = INSERT_AND_UPDATE

    log = models.TextField()
    number = models.BigIntegerField()
    generation = models.PositiveIntegerField(default=1)
    known_to = models.BigIntegerField()
    audited_to = models.BigIntegerField()
    reopened_because = models.CharField(max_length=300, blank=True)

    objects = BlockQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["log", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["log", "number"], name="audit_block_once"),
            models.CheckConstraint(
                condition=Q(audited_to__gte=F("number") * BLOCK_ENTRIES)
                & Q(known_to__gte=F("audited_to"))
                & Q(known_to__lte=F("number") * BLOCK_ENTRIES + BLOCK_ENTRIES),
                name="audit_block_within_itself",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.log} block {self.number}"

    @property
    def first(self) -> int:
        return self.number * BLOCK_ENTRIES

    @property
    def is_new(self) -> bool:
        """Never audited before, so there are no earlier findings to compare with."""
        return self.generation == 1
