"""Figures of a casino and a period. Each is a cached property, so a single chart reads only what it needs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from typing import Any

from django.db import connection
from django.db.models import Count, Exists, OuterRef, Q

from compliance.analysis.fairness.models import Signal
from compliance.audit.catalogue import FAMILIES, code_named
from compliance.audit.catalogue.finding_code import Severity
from compliance.audit.catalogue.record_codes import DISPUTE_UPHELD
from compliance.audit.models import Finding
from compliance.audit.selectors import AuditPosition, amounts_stated_twice, audit_position
from compliance.disputes.models import Dispute, Step
from compliance.reports.dashboard.play_by_day import PlaySummary, add_totals, play_totals_between
from compliance.reports.document.period import Period
from compliance.tables.closures.models import Closure
from compliance.tables.equipment.projections import Fault, InspectionMade
from compliance.tables.limit_notices.models import LimitNotice
from promotions.claims.models import ClaimDecision, ReasonsTold
from promotions.draws.models import Draw
from promotions.terms.models import TermsVersion
from rounds.intake.entry_kinds import DISPUTE_PAID
from rounds.ledger import entry_at, size_of, verify

FINDINGS_SQL = """
SELECT width_bucket(at, %(begins)s::timestamptz[]), code, "table", count(*),
    coalesce(sum(greatest(coalesce(found_cents, 0) - required_cents, 0)) FILTER (WHERE {money}), 0),
    coalesce(sum(greatest(required_cents - coalesce(found_cents, 0), 0)) FILTER (WHERE {money}), 0)
FROM audit_finding
WHERE casino_id = %(casino)s AND superseded_at IS NULL AND at >= %(first)s AND at < %(last)s
GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
""".replace("{money}", "required_cents IS NOT NULL AND id <> ALL(%(without_money)s::bigint[])")


@dataclass(frozen=True)
class FindingCount:
    """Findings of one code at one table on one gaming day."""

    day: date
    code: str
    table: str
    count: int
    # Handed back beyond what was due, and short of it. Not set off against each other.
    over_cents: int
    short_cents: int

    @property
    def severity(self) -> Severity:
        return code_named(self.code).severity


@dataclass(frozen=True)
class Duty:
    """A duty in the period: what was recorded, what is pending, and the findings against it."""

    name: str
    recorded: int
    waiting: int
    missed: int


class DashboardFigures:
    def __init__(self, period: Period, now: datetime) -> None:
        self.period, self.casino, self.now = period, period.casino, now

    @cached_property
    def _play_by_day(self) -> Mapping[date, Mapping[str, PlaySummary]]:
        return play_totals_between(self.casino, self.period.first, self.period.last)

    @cached_property
    def by_day(self) -> Mapping[date, PlaySummary]:
        return {day: add_totals(tables.values()) for day, tables in self._play_by_day.items()}

    @cached_property
    def by_table(self) -> Mapping[str, PlaySummary]:
        tables: dict[str, list[PlaySummary]] = defaultdict(list)
        for day in self._play_by_day.values():
            for table, played in day.items():
                tables[table].append(played)
        return {table: add_totals(days) for table, days in tables.items()}

    @cached_property
    def total(self) -> PlaySummary:
        return add_totals(self.by_day.values())

    @cached_property
    def finding_counts(self) -> list[FindingCount]:
        """Standing findings by the gaming day of the event. Money that two of them state is counted once."""
        counts = self._count_findings([])
        if not any(one.code == DISPUTE_UPHELD.name for one in counts):
            return counts
        period = self.period
        found = Finding.objects.current().filter(casino=self.casino, at__gte=period.begins_at, at__lt=period.ends_at)
        return self._count_findings(list(amounts_stated_twice(found)))

    def _count_findings(self, without_money: list[int]) -> list[FindingCount]:
        """One query."""
        *begins, ends_at = self.period.day_starts
        of_period = {"begins": begins, "first": begins[0], "last": ends_at}
        selected: dict[str, Any] = {"casino": self.casino.pk, "without_money": without_money}
        with connection.cursor() as cursor:
            cursor.execute(FINDINGS_SQL, selected | of_period)
            rows = cursor.fetchall()
        days = list(self.period.days)
        return [
            FindingCount(days[bucket - 1], code, table, count, int(over), int(short))
            for bucket, code, table, count, over, short in rows
        ]

    @property
    def serious_findings(self) -> int:
        return sum(one.count for one in self.finding_counts if one.severity == Severity.SERIOUS)

    @cached_property
    def unpaid_cents(self) -> int:
        """Due to patrons by the findings, and not handed back. Payments after a dispute are part of what a round's
        findings say was returned, and are deducted from disputes upheld."""
        of_rounds = [one.short_cents for one in self.finding_counts if one.code != DISPUTE_UPHELD.name]
        return sum(of_rounds) + (self._unpaid_after_disputes() if len(of_rounds) < len(self.finding_counts) else 0)

    def _unpaid_after_disputes(self) -> int:
        found = Finding.objects.current().filter(
            casino=self.casino, at__gte=self.period.begins_at, at__lt=self.period.ends_at
        )
        upheld = found.filter(code=DISPUTE_UPHELD.name).exclude(pk__in=amounts_stated_twice(found))
        due = {one.subject_index: (one.required_cents or 0) - (one.found_cents or 0) for one in upheld}
        steps = Step.objects.filter(log=self.casino.slug, entry_index__in=due)
        disputes = dict(steps.values_list("dispute", "entry_index"))
        unpaid = {dispute: due[entry] for dispute, entry in disputes.items()}
        for payment in Step.objects.filter(dispute__in=unpaid, kind=DISPUTE_PAID):
            unpaid[payment.dispute_id] -= payment.said["amount_cents"]
        return sum(max(0, cents) for cents in unpaid.values())

    @property
    def over_cents(self) -> int:
        return sum(one.over_cents for one in self.finding_counts)

    @cached_property
    def fairness_signals(self) -> list[Signal]:
        """Signals from the examinations of these gaming days."""
        days = (self.period.first, self.period.last)
        return list(Signal.objects.filter(casino=self.casino, gaming_day__range=days).order_by("gaming_day", "pk"))

    @cached_property
    def audit_progress(self) -> AuditPosition:
        return audit_position(self.casino)

    @cached_property
    def audited_until(self) -> datetime | None:
        """Recording time of the last entry up to which everything was audited, though perhaps again now."""
        up_to = self.audit_progress.once_up_to
        entry = entry_at(self.casino.slug, up_to - 1) if up_to else None
        return entry.recorded_at if entry else None

    @cached_property
    def verification(self) -> verify.RecordedVerification | None:
        return verify.last_verification(self.casino.slug)

    @cached_property
    def entry_count(self) -> int:
        return size_of(self.casino.slug)

    @cached_property
    def duties(self) -> list[Duty]:
        """Six duties, one query each. What was missed comes from the findings."""
        begins_at, ends_at = self.period.begins_at, self.period.ends_at
        casino, log = {"casino": self.casino}, {"log": self.casino.slug}
        notices = LimitNotice.objects.filter(**casino, effective_at__gte=begins_at, effective_at__lt=ends_at)
        closures = Closure.objects.filter(**casino, closes_at__gte=begins_at, closes_at__lt=ends_at)
        inspections = InspectionMade.objects.filter(**log, at__gte=begins_at, at__lt=ends_at)
        faults = Fault.objects.filter(**log, at__gte=begins_at, at__lt=ends_at)
        disputes = Dispute.objects.filter(**casino, logged_at__gte=begins_at, logged_at__lt=ends_at)
        return [
            self._build_duty("Notices of changed limits", notices, Q(state__in=("scheduled", "sign-up")), "Limits"),
            self._build_duty("Closings", closures, Q(state="announced"), "Closings"),
            self._build_duty("Inspections", inspections, Q(has_passed=False), "Equipment"),
            self._build_duty("Faults", faults, Q(returned_at=None, stops_play=True) | Q(mended_at=None), "Faults"),
            self._build_duty("Disputes", disputes, ~Q(state="closed"), "Disputes"),
            self._promotions_duty(begins_at, ends_at),
        ]

    def _build_duty(self, name: str, rows: object, waiting: Q, family: str) -> Duty:
        counted = rows.aggregate(all=Count("pk"), waiting=Count("pk", filter=waiting))  # type: ignore[attr-defined]
        return Duty(name, counted["all"], counted["waiting"], self.count_missed(family))

    def _promotions_duty(self, begins_at: datetime, ends_at: datetime) -> Duty:
        """Terms filed, draws planned and claims denied. Pending are denials whose claimant was not given the
        reasons."""
        within = Q(at__gte=begins_at, at__lt=ends_at)
        filed = TermsVersion.objects.filter(
            promotion__casino=self.casino, filed_at__gte=begins_at, filed_at__lt=ends_at
        ).count()
        draws = Draw.objects.filter(within, promotion__casino=self.casino).count()
        denied = ClaimDecision.objects.filter(within, claim__casino=self.casino, is_met=False)
        told = Exists(ReasonsTold.objects.filter(decision=OuterRef("pk")))
        counted = denied.aggregate(all=Count("pk"), untold=Count("pk", filter=~told))
        recorded = filed + draws + counted["all"]
        return Duty("Promotions", recorded, counted["untold"], self.count_missed("Promotions"))

    def count_missed(self, family: str) -> int:
        codes = {code.name for code in FAMILIES[family]}
        return sum(one.count for one in self.finding_counts if one.code in codes)
