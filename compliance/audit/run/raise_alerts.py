"""Alerts that follow from findings: whoever must be told of failed lights, where no table reported the fault."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from compliance.audit.catalogue.table_codes import FAULT_NOT_TOLD
from compliance.audit.models import Finding, TimelineEvent
from compliance.core.accounts.models import Casino
from compliance.notify.alerts.services import raise_alert
from compliance.tables.equipment.consumer import FAULT_DUTY
from rounds.intake.entry_kinds import FAULT
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.selectors import pack_of, roles_for_title


def raise_unreported_fault_alerts(casino: Casino, findings: Iterable[Finding], now: datetime) -> None:
    """For new findings of FAULT-NOT-TOLD about rounds and closings. The consumer of equipment entries has raised the
    alert of a reported fault. Must be called before the findings' own entries are appended."""
    missed = [finding for finding in findings if finding.code == FAULT_NOT_TOLD.name]
    if not missed:
        return
    subjects = [finding.subject_index for finding in missed]
    reported = set(
        TimelineEvent.objects.filter(log=casino.slug, entry_index__in=subjects, kind=FAULT).values_list(
            "entry_index", flat=True
        )
    )
    versions = RuleVersion.objects.in_bulk({finding.version_id for finding in missed})
    for finding in missed:
        pack = pack_of(versions[finding.version_id]) if finding.version_id else None
        duty = pack.duties.equipment_fault if pack else None
        if finding.subject_index in reported or pack is None or duty is None:
            continue
        raise_alert(
            casino=casino,
            duty=FAULT_DUTY,
            to=roles_for_title(pack, duty.told),
            statement=f"{finding.table}: the lights failed and nobody reported it. {finding.sentence}",
            clause=finding.clause,
            table=finding.table,
            about=(casino.slug, finding.subject_index),
            immediately=duty.told_at_once,
            fact_at=finding.at,
            now=now,
        )
