"""For the roles that oversee: records without their details, accesses, destructions, retention."""

from datetime import date, datetime

from django.http import HttpResponse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from compliance.core.accounts.models import Casino
from compliance.core.accounts.request_types import CasinoRequest, PersonRequest
from compliance.core.accounts.views.casino_picker import choose_casino
from compliance.core.web.access import require_roles
from compliance.core.web.templatetags.ui import local
from compliance.core.web.ui.components import (
    Column,
    DataTable,
    FilterPanel,
    SummaryList,
    SummaryRow,
    Tag,
    Timeline,
    TimelineEntry,
)
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.privacy.personal_data.forms import DetailsAccessFilter, RecordFilter
from compliance.privacy.personal_data.models import DetailsAccess, PersonalRecord, RetentionRule
from compliance.privacy.personal_data.retention import casino_today
from compliance.privacy.personal_data.selectors import (
    access_record,
    destructions_at,
    search_details_access,
    search_records,
)
from compliance.privacy.personal_data.subjects import MAY_SET_RETENTION, OVERSEERS, SUBJECTS, Subject

overseers_only = require_roles(*OVERSEERS)
NO_RECORDS_TEXT = (
    "No personal details are kept here yet. They come with the first dispute, prize claim or prize winner."
)


def format_day(on: date) -> str:
    return f"{on.day} {on:%b %Y}"


def record_state_tag(kept: PersonalRecord, today: date) -> Tag:
    if kept.destroyed_at:
        return Tag("Destroyed", "neutral")
    if kept.ends_on < today:
        return Tag("Due for destruction", "warning")
    is_held = kept.held_until_on is not None and kept.held_until_on >= today
    return Tag("Held", "info") if is_held else Tag("Kept", "success")


@overseers_only
@require_safe
def choose_records_casino(request: PersonRequest) -> HttpResponse:
    return choose_casino(
        request,
        OVERSEERS,
        lambda casino: casino_url("patrons:records", casino),
        title="Personal data",
        caption="Casinos whose personal data you oversee",
    )


@overseers_only
@require_safe
def list_records(request: CasinoRequest, casino: str) -> ListResponse:
    now = timezone.now()
    form = RecordFilter(request.GET)
    chosen = form.valid_values()
    table = DataTable(
        caption=f"Records at {request.casino}, without the details",
        columns=_record_columns(request.casino, now),
        rows=search_records(request.casino, **chosen, now=now),
        sort="-kept_at",
        empty="No record fits this search." if any(chosen.values()) else NO_RECORDS_TEXT,
    )
    context = {"panel": FilterPanel(form, legend="Search and filter", can_be_kept=False), "table": table}
    return list_response(request, "personal_data/records.html", context)


def _record_columns(casino: Casino, now: datetime) -> tuple[Column, ...]:
    today = casino_today(casino, now)
    return (
        Column(
            "Record",
            "pk",
            sort="pk",
            is_row_heading=True,
            link=lambda kept: casino_url("patrons:record", casino, record=kept.pk),
        ),
        Column("About", "subject_label", sort="subject"),
        Column("Reference", "reference", sort="reference"),
        Column("Kept since", "kept_at", sort="kept_at"),
        Column("Kept until", lambda kept: format_day(kept.ends_on), sort="ends_on"),
        Column("State", lambda kept: record_state_tag(kept, today)),
        Column("Looks", "looks_count", sort="looks_count", is_figure=True),
    )


@overseers_only
@require_safe
def show_record(request: CasinoRequest, casino: str, record: int) -> ListResponse:
    kept = access_record(request.user, request.casino, record)
    today = casino_today(request.casino, timezone.now())
    is_held = kept.held_until_on is not None and kept.held_until_on >= today
    is_there = kept.destroyed_at is None
    context = {
        "record": kept,
        "is_there": is_there,
        "may_destroy": is_there and not is_held and request.user.has_role(*MAY_SET_RETENTION, casino=request.casino),
        "summary": _record_summary(kept, request.casino, today),
        "holds": _holds_timeline(kept, request.casino),
        "looks": _details_access_table(request, kept),
    }
    return list_response(request, "personal_data/record.html", context, lists=("looks",))


def _record_summary(kept: PersonalRecord, casino: Casino, today: date) -> SummaryList:
    rows = [
        SummaryRow("About", kept.subject_label),
        SummaryRow("Reference", kept.reference),
        SummaryRow("State", record_state_tag(kept, today)),
        SummaryRow("Kept since", local(kept.kept_at, casino)),
        SummaryRow("Kept by", kept.kept_by.name if kept.kept_by else "The service"),
        SummaryRow("Kept until", format_day(kept.ends_on)),
        SummaryRow("Digest in the ledger", format_html('<code class="digest">{}</code>', kept.digest_sha256)),
    ]
    replacement = getattr(kept, "replacement", None)
    if replacement is not None:
        rows.append(SummaryRow("Replaced by", _record_link(replacement.pk, casino)))
    if kept.supersedes_id is not None:
        rows.append(SummaryRow("Replaces", _record_link(kept.supersedes_id, casino)))
    if kept.destroyed_at:
        destruction = kept.destruction
        rows.append(SummaryRow("Destroyed", local(destruction.at, casino)))
        rows.append(SummaryRow("Destroyed by", destruction.by_name or "The service"))
        rows.append(SummaryRow("Why", destruction.reason))
    return SummaryList(rows)


def _record_link(pk: int, casino: Casino) -> SafeString:
    return format_html('<a href="{}">Record {}</a>', casino_url("patrons:record", casino, record=pk), pk)


def _holds_timeline(kept: PersonalRecord, casino: Casino) -> Timeline | None:
    entries = [
        TimelineEntry(f"Kept until {format_day(hold.until_on)}", hold.at, f"by {hold.by_name}", hold.reason)
        for hold in kept.holds.all()
    ]
    return Timeline(entries, casino, "Kept longer") if entries else None


def _details_access_table(request: CasinoRequest, kept: PersonalRecord) -> DataTable:
    return DataTable(
        caption="Who looked at the details, newest first",
        columns=_details_access_columns(),
        rows=kept.looks.all(),
        sort="-at",
        empty="Nobody has looked at the details.",
        name="looks",
        is_caption_hidden=True,
    )


def _details_access_columns() -> tuple[Column, ...]:
    return (
        Column("When", "at", sort="at", is_row_heading=True),
        Column("Who", "by_name", sort="by_name"),
        Column("Why", _access_reason),
        Column("Entry in the ledger", "entry_index", is_figure=True),
    )


def _access_reason(look: DetailsAccess) -> str:
    return f"{look.get_purpose_display()}: {look.note}" if look.note else look.get_purpose_display()


@overseers_only
@require_safe
def list_details_access(request: CasinoRequest, casino: str) -> ListResponse:
    form = DetailsAccessFilter(request.GET, casino=request.casino)
    chosen = form.valid_values()
    when, *rest = _details_access_columns()
    record_column = Column(
        "Record",
        lambda look: f"{look.record_id}, {look.record.reference}",
        link=lambda look: casino_url("patrons:record", request.casino, record=look.record_id),
    )
    table = DataTable(
        caption=f"Looks at personal details of {request.casino}, newest first",
        columns=(when, record_column, *rest),
        rows=search_details_access(request.casino, **chosen),
        sort="-at",
        empty="No look fits this search." if any(chosen.values()) else "Nobody has looked at any details.",
    )
    context = {"panel": FilterPanel(form, legend="Search and filter", can_be_kept=False), "table": table}
    return list_response(request, "personal_data/accesses.html", context)


@overseers_only
@require_safe
def list_destructions(request: CasinoRequest, casino: str) -> ListResponse:
    table = DataTable(
        caption=f"Details destroyed at {request.casino}, newest first",
        columns=(
            Column("When", "at", sort="at", is_row_heading=True),
            Column(
                "Record",
                lambda row: f"{row.record_id}, {row.record.reference}",
                link=lambda row: casino_url("patrons:record", request.casino, record=row.record_id),
            ),
            Column("About", lambda row: row.record.subject_label),
            Column("By", lambda row: row.by_name or "The service"),
            Column("Why", "reason"),
            Column("Entry in the ledger", "entry_index", sort="entry_index", is_figure=True),
        ),
        rows=destructions_at(request.casino),
        sort="-at",
        empty="Nothing has been destroyed.",
    )
    return list_response(request, "personal_data/destroyed.html", {"table": table})


@overseers_only
@require_safe
def show_retention(request: CasinoRequest, casino: str) -> ListResponse:
    rules = RetentionRule.objects.filter(casino=request.casino)
    newest = {rule.subject: rule for rule in reversed(rules)}
    context = {
        "now": _retention_table(request, newest),
        "history": DataTable(
            caption="Times that were set, newest first",
            columns=(
                Column("When", "at", is_row_heading=True),
                Column("About", lambda rule: SUBJECTS[rule.subject].label),
                Column("Years", "years", is_figure=True),
                Column("By", "by_name"),
                Column("Why", "reason"),
            ),
            rows=rules,
            empty="No time was ever set: the defaults hold.",
            name="history",
            is_caption_hidden=True,
        ),
    }
    return list_response(request, "personal_data/retention.html", context, lists=("history",))


def _retention_table(request: CasinoRequest, newest: dict[str, RetentionRule]) -> DataTable:
    def retention_text(subject: Subject) -> SafeString:
        return format_html('Change<span class="visually-hidden"> how long a {} is kept</span>', subject.label.lower())

    columns = [
        Column("About", "label", is_row_heading=True),
        Column("Years", lambda it: newest[it.slug].years if it.slug in newest else it.years, is_figure=True),
        Column("Why", lambda it: newest[it.slug].reason if it.slug in newest else f"Default. {it.reason}"),
    ]
    if request.user.has_role(*MAY_SET_RETENTION, casino=request.casino):
        columns.append(
            Column(
                "Action",
                retention_text,
                link=lambda it: casino_url("patrons:set-retention", request.casino, subject=it.slug),
            )
        )
    return DataTable(
        caption="How long details are kept",
        columns=columns,
        rows=list(SUBJECTS.values()),
        name="times",
        is_caption_hidden=True,
    )
