"""List of a casino's promotions, and the page of one: its terms, their history and marketing material."""

from datetime import datetime
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from compliance.core.accounts.list_registry import FilteredList, ListQuery
from compliance.core.accounts.request_types import CasinoRequest, PersonRequest
from compliance.core.accounts.views.casino_picker import choose_casino
from compliance.core.corrections.list_marks import CorrectionMarks, Parts
from compliance.core.corrections.selectors import record_lines, recorded_indexes
from compliance.core.web.mail.render import site_base_url
from compliance.core.web.templatetags.ui import local
from compliance.core.web.ui.components import (
    Column,
    DataTable,
    FilterPanel,
    SummaryList,
    SummaryRow,
    Timeline,
    TimelineEntry,
)
from compliance.core.web.ui.forms import FilterForm
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.core.web.ui.record_notes import ListNotes, record_notes
from promotions.shared.duties import promotion_rules_at
from promotions.shared.permissions import MAY_READ, MAY_WRITE
from promotions.terms.models import (
    AmendmentDecision,
    Integrity,
    Promotion,
    PromotionStep,
    TermsVersion,
    TermsVersionQuerySet,
)
from promotions.terms.selectors import (
    access_promotion,
    current_versions,
    entries_of_promotion,
    state_of,
    version_in_force,
)
from promotions.terms.services import begin_draft
from promotions.terms.views.common import STATE_TAGS, PromotionNotes, filing_tag, phase_tag, readers, writers
from rounds.engine import Promotions

PHASES = {"to-come": "To come", "running": "Running", "over": "Over"}


class PromotionFilter(FilterForm):
    name = forms.CharField(label="Name", required=False, max_length=120)
    state = forms.ChoiceField(label="State", required=False, choices=[("", "Any"), *PHASES.items()])


def _filter_versions(rows: TermsVersionQuerySet, chosen: dict[str, Any], now: datetime) -> TermsVersionQuerySet:
    states = {
        "to-come": Q(starts_at__gt=now),
        "running": Q(starts_at__lte=now) & (Q(ends_at=None) | Q(ends_at__gt=now)),
        "over": Q(ends_at__lte=now),
    }
    return rows.filter(states.get(chosen["state"], Q()), name__icontains=chosen["name"])


@readers
@require_safe
def casinos(request: PersonRequest) -> HttpResponse:
    return choose_casino(
        request,
        MAY_READ,
        lambda casino: casino_url("promotions:board", casino),
        title="Promotions",
        caption="Casinos whose promotions you work on or read",
    )


PROMOTIONS = FilteredList(
    "terms:promotions",
    PromotionFilter,
    lambda asked, chosen: _filter_versions(current_versions(asked.casino, asked.now), chosen, asked.now),
)


@readers
@require_safe
def promotion_list(request: CasinoRequest, casino: str) -> ListResponse:
    asked = ListQuery.from_request(request)
    form, rows = PROMOTIONS(asked)
    notes = PromotionNotes(request)
    table = DataTable(
        caption=f"Promotions of {request.casino}",
        columns=(
            Column(
                "Promotion", "name", sort="name", is_row_heading=True, link=lambda row: row.promotion.get_absolute_url()
            ),
            Column("Reference", "promotion.reference", sort="promotion__number"),
            Column("Starts", "starts_at", sort="starts_at"),
            Column("Ends", "ends_at", sort="ends_at"),
            Column("State", lambda row: notes.tag(row, phase_tag(row, asked.now))),
            Column("Terms", lambda row: f"Version {row.number}", link=lambda row: row.address("version")),
        ),
        rows=rows,
        sort="-starts_at",
        prepare=notes.read,
        empty="No promotion fits this search."
        if any(form.valid_values().values())
        else "No terms have been filed here yet.",
    )
    context = {"table": table, "panel": FilterPanel(form, legend="Search and filter")}
    return list_response(request, "terms/promotions.html", context)


@readers
@require_safe
def promotion(request: CasinoRequest, casino: str, promotion: int) -> ListResponse:
    now = timezone.now()
    found = access_promotion(request.user, request.casino, promotion)
    in_force = version_in_force(found, now) or TermsVersion.recorded.with_related().filter(promotion=found)[0]
    duties = promotion_rules_at(request.casino, now)
    notes = record_notes(request, entries_of_promotion(found))
    records = recorded_indexes(*(model.recorded.filter(promotion=found) for model in (TermsVersion, PromotionStep)))
    context = {
        "promotion": found,
        "notes": notes,
        "standing": in_force,
        "phase": notes.tag(phase_tag(in_force, now)),
        "facts": _summary_list(in_force, request),
        "versions": _version_table(request, found, in_force, duties.duties if duties else None),
        "has_begun": in_force.starts_at <= now,
        "is_postponed": in_force.integrity == Integrity.POSTPONED,
        "stops": _stop_timeline(found, request),
        "may_write": request.user.has_role(*MAY_WRITE, casino=request.casino),
        "draft": getattr(found, "draft", None),
        "public": "" if in_force.is_withdrawn else in_force.address("public"),
        "corrections": record_lines(request.user, request.casino, records),
        "site": site_base_url(),
    }
    return list_response(request, "terms/promotion.html", context, lists=("versions",))


def _summary_list(in_force: TermsVersion, request: CasinoRequest) -> SummaryList:
    rows = [
        SummaryRow("Reference", in_force.promotion.reference),
        SummaryRow("Starts", local(in_force.starts_at, request.casino)),
        SummaryRow("Ends", local(in_force.ends_at, request.casino)),
        SummaryRow("Entries close", local(in_force.closes_at, request.casino)),
        SummaryRow("Drawn or awarded", local(in_force.awarded_at, request.casino)),
    ]
    return SummaryList(rows)


def _stop_timeline(promotion: Promotion, request: CasinoRequest) -> Timeline | None:
    steps = list(promotion.stops.select_related("by"))
    entries = [
        TimelineEntry(step.get_act_display(), step.happened_at, f"by {step.by.name}", step.statement) for step in steps
    ]
    return Timeline(entries, request.casino, "Postponed and validated, oldest first") if entries else None


def _version_table(
    request: CasinoRequest, promotion: Promotion, in_force: TermsVersion, duties: Promotions | None
) -> DataTable:
    notes = ListNotes(request, lambda row: [row.entry_index])
    marks = CorrectionMarks(
        request.casino, [Parts(AmendmentDecision.recorded.all(), "version_id")], also_read=notes.read
    )
    columns = [
        Column("Version", "number", is_row_heading=True, is_figure=True, link=lambda row: row.address("version")),
        Column("Reached the Authority", "filed_at"),
        Column("By", "filed_by.name"),
        Column("State", lambda row: notes.tag(row, STATE_TAGS[state_of(row, in_force.number)])),
    ]
    if duties:
        columns.append(Column("Filing", lambda row: filing_tag(row, duties)))
    columns.append(marks.column)
    return DataTable(
        caption="Versions of the terms, newest first",
        columns=columns,
        rows=TermsVersion.recorded.with_related().filter(promotion=promotion),
        name="versions",
        prepare=marks.read,
    )


@writers
@require_POST
def draft_next_version(request: CasinoRequest, casino: str, promotion: int) -> HttpResponse:
    """Redirects to the draft of the next version; creates it from the terms in force if there is none."""
    now = timezone.now()
    found = access_promotion(request.user, request.casino, promotion)
    like = version_in_force(found, now)
    draft = begin_draft(casino=request.casino, promotion=found, like=like, actor=request.user, now=now)
    messages.info(request, "This is a draft. Nothing changes until it is filed.")
    return redirect(casino_url("terms:draft", request.casino, draft=draft.pk))
