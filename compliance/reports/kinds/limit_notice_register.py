"""Register of limit notices and closures, including player limits and warnings."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from compliance.core.accounts.models import Casino
from compliance.core.corrections.report_section import corrections_between
from compliance.core.web.local_time import format_local
from compliance.core.web.pdf.sections import Grid, LabelledValue, ReportColumn, Row, Section
from compliance.reports.document.assemble import assemble_document, entries_in_sections
from compliance.reports.document.audit_basis import build_basis, versions_between
from compliance.reports.document.period import Period, period_from_options
from compliance.reports.document.structure import IllustratedDocument
from compliance.reports.kinds.duty_breaches import breaches_section, findings_of_families
from compliance.tables.closures.entry_kinds import CLOSURE_ENDED
from compliance.tables.closures.models import Closure
from compliance.tables.closures.states import ClosureState as ClosureState
from compliance.tables.limit_notices.models import LimitNotice, PlayerLimit, UnderMinimumWarning
from compliance.tables.limit_notices.states import NoticeState as NoticeState
from compliance.tables.signs.models import Sign
from rounds.engine.money import format_cents
from rounds.floor.facts.text import limits_by_wager
from rounds.floor.selectors import pack_for
from rounds.intake.entry_kinds import (
    PLAYER_LIMIT,
    SIGN_REMOVED,
    SIGN_SHOWN,
    TABLE_CLOSED,
    TABLE_OPENED,
    UNDER_MINIMUM_WARNING,
)

FAMILIES = ("Limits", "Closings")


def count_rows(casino: Casino, chosen: Mapping[str, Any]) -> int:
    period = period_from_options(casino, chosen)
    return sum(
        rows.count()
        for rows in (
            _notices_within(period),
            _player_limits_within(period),
            _warnings_within(period),
            _closures_within(period),
        )
    )


CORRECTED_KINDS = frozenset(
    {CLOSURE_ENDED, TABLE_CLOSED, TABLE_OPENED, SIGN_SHOWN, SIGN_REMOVED, PLAYER_LIMIT, UNDER_MINIMUM_WARNING}
)


def build(casino: Casino, chosen: Mapping[str, Any], now: datetime) -> IllustratedDocument:
    period = period_from_options(casino, chosen)
    notices = list(_notices_within(period).select_related("table", "end", "sign").prefetch_related("sign__showings"))
    closures = list(
        _closures_within(period).select_related("table", "sign").prefetch_related("steps", "sign__showings")
    )
    sections = (
        _summary_section(notices, closures),
        _notices_section(notices, casino),
        _closures_section(closures, casino),
        _player_limits_section(list(_player_limits_within(period).select_related("table")), casino),
        _warnings_section(list(_warnings_within(period).select_related("table")), casino),
        breaches_section(findings_of_families(period, FAMILIES), period),
        *corrections_between(casino, period.begins_at, period.ends_at, CORRECTED_KINDS),
    )
    unlisted = {*_notice_end_entries(notices), *(step.entry_index for one in closures for step in one.steps.all())}
    versions = versions_between(casino, period.begins_at, period.ends_at)
    return assemble_document(
        casino,
        now,
        title="Register of notices and closures",
        subject=f"{casino.name}, {period.words}",
        sections=sections,
        basis=build_basis(casino, versions, entries_in_sections(sections)),
        entries=unlisted,
    )


def _notices_within(period: Period) -> Any:
    """Notices with an effective time in the period."""
    rows = LimitNotice.objects.filter(casino=period.casino, effective_at__gte=period.begins_at)
    return rows.filter(effective_at__lt=period.ends_at).order_by("effective_at", "pk")


def _closures_within(period: Period) -> Any:
    rows = Closure.objects.filter(casino=period.casino, closes_at__gte=period.begins_at)
    return rows.filter(closes_at__lt=period.ends_at).order_by("closes_at", "pk")


def _player_limits_within(period: Period) -> Any:
    rows = PlayerLimit.objects.filter(casino=period.casino, allowed_at__gte=period.begins_at)
    return rows.filter(allowed_at__lt=period.ends_at).order_by("allowed_at", "pk")


def _warnings_within(period: Period) -> Any:
    rows = UnderMinimumWarning.objects.filter(casino=period.casino, gaming_day__range=(period.first, period.last))
    return rows.order_by("warned_at", "pk")


def _notice_end_entries(notices: Iterable[LimitNotice]) -> Iterator[int]:
    for one in notices:
        end = getattr(one, "end", None)
        if end is not None:
            yield end.entry_index


def _summary_section(notices: list[LimitNotice], closures: list[Closure]) -> Section:
    became, closed = Counter(one.state for one in notices), Counter(one.state for one in closures)
    emergencies = sum(one.is_emergency for one in closures)
    return Section(
        title="In short",
        facts=(
            LabelledValue("Changes of limits", f"{len(notices):,}"),
            *(LabelledValue(state.label, f"{became[state]:,}") for state in NoticeState if became[state]),
            LabelledValue("Closings", f"{len(closures):,}, of which {emergencies:,} in an emergency"),
            *(LabelledValue(state.label, f"{closed[state]:,}") for state in ClosureState if closed[state]),
        ),
    )


def _notices_section(notices: list[LimitNotice], casino: Casino) -> Section:
    has_types = any(one.by_bet for one in notices)
    headings = (
        ReportColumn("Table", 2, quotes="table"),
        ReportColumn("In force from", 4),
        ReportColumn("Minimum", 3, True, "limits.min"),
        ReportColumn("Maximum", 3, True, "limits.max"),
        ReportColumn("Clause", 2, quotes="clause"),
        ReportColumn("Sign", 5),
        ReportColumn("Announced", 5),
        ReportColumn("What became of it", 5),
        *((ReportColumn("By type of wager", 5),) if has_types else ()),
    )
    rows = tuple(
        Row(
            (
                one.table.slug,
                format_local(one.effective_at, casino),
                format_cents(one.min_cents),
                format_cents(one.max_cents),
                one.clause,
                _sign_text(one.sign, one.effective_at, casino),
                f"{format_local(one.scheduled_at, casino)}, {one.scheduled_by_name}",
                _end_text(one, casino),
                *((_limits_by_wager_text(one),) if has_types else ()),
            ),
            one.entry_index,
        )
        for one in notices
    )
    return Section(title="Changes of limits", grid=Grid(headings, rows, "No change of limits fell into this time."))


def _limits_by_wager_text(notice: LimitNotice) -> str:
    if not notice.by_bet:
        return ""
    stated = limits_by_wager(notice.limits, pack_for(notice.table, notice.scheduled_at))
    return "; ".join(f"{names} {format_cents(low)} to {format_cents(high)}" for names, low, high in stated)


def _sign_text(sign: Sign | None, before: datetime, casino: Casino) -> str:
    """The interval of being up before the change, or that the sign was never up."""
    if sign is None:
        return "None needed"
    showings = [one for one in sign.showings.all() if one.since_at <= before]
    if not showings:
        return f"Never up; {sign.notice_minutes} min were needed"
    since, until = showings[-1].since_at, showings[-1].until_at
    if until is not None and until < before:
        return f"Down since {format_local(until, casino)}; {sign.notice_minutes} min were needed"
    minutes = int((before - since).total_seconds() // 60)
    return f"Up since {format_local(since, casino)}: {minutes} of {sign.notice_minutes} min"


def _end_text(one: LimitNotice, casino: Casino) -> str:
    end = getattr(one, "end", None)
    label = one.get_state_display()
    if end is None:
        return label
    why = f": {end.reason}" if end.reason else ""
    return f"{label}, {format_local(end.at, casino)}{why}"


def _closures_section(closures: list[Closure], casino: Casino) -> Section:
    headings = (
        ReportColumn("Table", 2, quotes="table"), ReportColumn("Closes", 4), ReportColumn("Players there", 2),
        ReportColumn("Clause", 2, quotes="clause"), ReportColumn("Sign", 5), ReportColumn("Reason", 5, quotes="reason"),
        ReportColumn("Announced", 5), ReportColumn("What became of it", 5),
    )  # fmt: skip
    rows = tuple(
        Row(
            (
                one.table.slug,
                format_local(one.closes_at, casino),
                "Yes" if one.players_present else "No",
                one.clause,
                "Emergency" if one.is_emergency else _sign_text(one.sign, one.closes_at, casino),
                one.reason,
                f"{format_local(one.announced_at, casino)}, {one.announced_by_name}",
                "; ".join(f"{step.get_state_display()}, {format_local(step.at, casino)}" for step in one.steps.all())
                or one.get_state_display(),
            ),
            one.entry_index,
        )
        for one in closures
    )
    return Section(title="Closings", grid=Grid(headings, rows, "No table was to close in this time."))


def _player_limits_section(limits: list[PlayerLimit], casino: Casino) -> Section:
    headings = (
        ReportColumn("Table", 2, quotes="table"),
        ReportColumn("Player or seat", 3),
        ReportColumn("Minimum", 3, True, "min"),
        ReportColumn("Maximum", 3, True, "max"),
        ReportColumn("From", 4),
        ReportColumn("Until", 4),
        ReportColumn("Allowed by", 3),
    )
    rows = tuple(
        Row(
            (
                one.table.slug,
                one.who,
                format_cents(one.min_cents),
                format_cents(one.max_cents),
                format_local(one.allowed_at, casino),
                format_local(one.ended_at, casino) if one.ended_at else "Still",
                one.allowed_by_name,
            ),
            one.entry_index,
        )
        for one in limits
    )
    return Section(title="Limits of single players", grid=Grid(headings, rows, "Nobody was given limits of their own."))


def _warnings_section(warnings: list[UnderMinimumWarning], casino: Casino) -> Section:
    headings = (
        ReportColumn("Table", 2, quotes="table"),
        ReportColumn("Player or seat", 3),
        ReportColumn("Warned", 4),
        ReportColumn("By", 3),
    )
    rows = tuple(
        Row((one.table.slug, one.who, format_local(one.warned_at, casino), one.warned_by_name), one.entry_index)
        for one in warnings
    )
    return Section(title="Warnings under the minimum", grid=Grid(headings, rows, "Nobody was warned."))
