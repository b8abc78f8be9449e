"""Registry of the kinds of reports: `REPORT_KINDS`. Each builds its Document from the options that a person chose.

findings.py               one finding on a sheet; all findings of a period (the discrepancy report)
daily_audit.py            a gaming day: rounds, money, findings, coverage
period_review.py          a period: the dashboard's figures and charts, findings, duties kept and missed
round_sheet.py            one round on a sheet
dispute_file.py           the file of a dispute
promotions.py             the file of a promotion, the register of denied claims
limit_notice_register.py  limit notices and closures
equipment_register.py     equipment and inspections
duty_breaches.py          shared section: findings about a family of duties, for the registers
ledger_certificate.py     integrity certificate of the whole ledger
signed_checklist.py       a checklist as it was signed off
access_log.py             who accessed which records
what_if.py                results of alternative rules applied to past play
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from compliance.core.accounts.models import Casino
from compliance.core.accounts.roles import GOVERNMENT_ROLES, Role
from compliance.reports.document.period import Period
from compliance.reports.document.structure import IllustratedDocument
from compliance.reports.kinds import (
    access_log,
    daily_audit,
    dispute_file,
    equipment_register,
    findings,
    ledger_certificate,
    limit_notice_register,
    period_review,
    promotions,
    round_sheet,
    signed_checklist,
    what_if,
)

ReportOptions = Mapping[str, Any]
# Roles that may read every kind. A kind may add roles that can read its subject anyway.
MAY_REPORT = GOVERNMENT_ROLES | {Role.COMPLIANCE_OFFICER}


@dataclass(frozen=True)
class ReportKind:
    """A kind of report: title, summary, builder, and row count for the size limit."""

    slug: str
    title: str
    summary: str
    build: Callable[[Casino, ReportOptions, datetime], IllustratedDocument]
    # Number of rows, and their unit in `of`. None if it does not depend on the options.
    rows: Callable[[Casino, ReportOptions], int] | None = None
    of: str = "findings"
    # Options of a scheduled report for one day or week. None if it cannot be scheduled.
    for_period: Callable[[Period], ReportOptions] | None = None
    is_of_one_day: bool = False
    # Roles that may request and read it.
    readers: frozenset[Role] = MAY_REPORT

    @property
    def can_be_scheduled(self) -> bool:
        return self.for_period is not None


REPORT_KINDS: Mapping[str, ReportKind] = {
    kind.slug: kind
    for kind in (
        ReportKind(
            "daily",
            "Daily audit report",
            "A gaming day: rounds, money in and out, findings by code and table, and how far it was audited.",
            daily_audit.build,
            for_period=lambda period: {"day": period.first.isoformat()},
            is_of_one_day=True,
        ),
        ReportKind(
            "discrepancies",
            "Discrepancy report",
            "Every finding of a time, with both amounts, the clause and what was decided.",
            findings.build_discrepancy_report,
            findings.count_discrepancies,
            for_period=lambda period: {"since": period.begins_at.isoformat(), "until": period.ends_at.isoformat()},
        ),
        ReportKind(
            "review",
            "Period review",
            "A period in figures and charts: play, money against expectation, findings, coverage, duties.",
            period_review.build,
            period_review.count_rows,
            "serious findings",
            Period.as_options,
        ),
        ReportKind(
            "notices",
            "Register of notices and closures",
            "Changes of limits with their signs, limits of single players, warnings, and closings of tables.",
            limit_notice_register.build,
            limit_notice_register.count_rows,
            "notices and closings",
            Period.as_options,
        ),
        ReportKind(
            "equipment",
            "Register of equipment and inspections",
            "Faults and how play came back, inspections, dice, shakers and shoes at tables.",
            equipment_register.build,
            equipment_register.count_rows,
            "records of equipment",
            Period.as_options,
        ),
        ReportKind(
            "denials",
            "Register of denied claims",
            "Every claim on a prize that was denied, with the reasons and how soon the patron was told.",
            promotions.build_denial_register,
            promotions.count_denials,
            "denied claims",
            Period.as_options,
            readers=MAY_REPORT | promotions.MAY_READ,
        ),
        ReportKind(
            "finding", "Finding sheet", "One finding with its round and what was decided.", findings.build_finding_sheet
        ),
        ReportKind("round", "Round sheet", "One round: events, result, every wager, findings.", round_sheet.build),
        ReportKind(
            "dispute",
            "Dispute file",
            "One dispute: the round, what the rules give, who decides, every step. Without the patron's details.",
            dispute_file.build,
            readers=MAY_REPORT | dispute_file.MAY_READ,
        ),
        ReportKind(
            "promotion",
            "Promotion file",
            "One promotion: terms and amendments, material, draws, winners and how they were told, claims.",
            promotions.build_promotion_file,
            readers=MAY_REPORT | promotions.MAY_READ,
        ),
        ReportKind(
            "certificate",
            "Ledger integrity certificate",
            "What the log holds, what was signed, and whether it was found whole.",
            ledger_certificate.build,
            for_period=lambda period: {},
        ),
        ReportKind(
            "checklist",
            "Signed checklist",
            "Every clause of a rule document with its answer, its basis and what the audit said.",
            signed_checklist.build,
        ),
        ReportKind(
            "looks",
            "Who looked at what",
            "Every look at a patron's details, every list and file taken away, every read by another system.",
            access_log.build,
            access_log.count_rows,
            "looks, downloads and reads",
        ),
        ReportKind(
            "what-if",
            "What would change",
            "Rules that were tried over what was played: totals by table, box, clause and player, the largest amounts.",
            what_if.build,
            readers=GOVERNMENT_ROLES,
        ),
    )
}
MAY_OPEN = frozenset[Role]().union(*(kind.readers for kind in REPORT_KINDS.values()))
