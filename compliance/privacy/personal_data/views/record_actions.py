"""Pages that read the details or change their retention. Each has a confirm page."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.access import require_roles
from compliance.core.web.errors import NotFound
from compliance.core.web.ui.components import SummaryList, SummaryRow
from compliance.core.web.ui.confirm_page import ConfirmPage, allow_get_post, bound_data, confirm_page
from compliance.core.web.ui.links import casino_url
from compliance.privacy.personal_data.audited_read import PersonalDetails, read_personal_details
from compliance.privacy.personal_data.forms import DestroyForm, HoldForm, RetentionForm, ShowDetailsForm
from compliance.privacy.personal_data.models import AccessPurpose, PersonalRecord
from compliance.privacy.personal_data.retention import retention_years
from compliance.privacy.personal_data.selectors import access_record
from compliance.privacy.personal_data.services import destroy_details, hold_record, set_retention
from compliance.privacy.personal_data.subjects import MAY_SET_RETENTION, SUBJECTS
from compliance.privacy.personal_data.views.records import format_day, overseers_only

retention_setters_only = require_roles(*MAY_SET_RETENTION)


@overseers_only
@allow_get_post
@sensitive_variables()
def show_details(request: CasinoRequest, casino: str, record: int) -> HttpResponse:
    """The details are only in the response to the POST: no URL shows them again."""
    kept = access_record(request.user, request.casino, record)
    form = ShowDetailsForm(bound_data(request))
    shown = None
    if request.method == "POST" and form.is_valid():
        purpose, note = AccessPurpose(form.cleaned_data["purpose"]), form.cleaned_data["note"]
        shown = read_personal_details(
            request.user, request.casino, kept.pk, purpose=purpose, note=note, now=timezone.now()
        )
    context = {
        "casino": request.casino,
        "record": kept,
        "form": form,
        "back": casino_url("patrons:record", request.casino, record=kept.pk),
        "details": _details_summary(shown) if shown else None,
    }
    return render(request, "personal_data/show.html", context)


def _details_summary(shown: PersonalDetails) -> SummaryList:
    """The name first, because people look for it; the rest as stored."""
    in_order = sorted(shown.fields.items(), key=lambda field: field[0] != "name")
    return SummaryList(
        [SummaryRow(_field_label(name), _field_value(value)) for name, value in in_order], "As they were given"
    )


def _field_label(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _field_value(value: object) -> object:
    return ", ".join(map(str, value)) if isinstance(value, list) else value


def _record_confirm_page(
    request: CasinoRequest, kept: PersonalRecord, title: str, *consequences: str, submit: str, done: str
) -> ConfirmPage:
    back = casino_url("patrons:record", request.casino, record=kept.pk)
    return ConfirmPage(title, consequences, submit, back, f"Record {kept.pk}", done)


@overseers_only
@allow_get_post
def hold_record_page(request: CasinoRequest, casino: str, record: int) -> HttpResponse:
    kept = access_record(request.user, request.casino, record)
    form = HoldForm(bound_data(request), request=request)
    act = _record_confirm_page(
        request,
        kept,
        f"Keep record {kept.pk} longer",
        f"It is kept until {format_day(kept.ends_on)}. You can set a later day, never an earlier one.",
        "Until that day nobody can destroy the details. A hold cannot be taken back.",
        submit="Keep it longer",
        done=f"Record {kept.pk} is kept longer.",
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: hold_record(
            held=kept,
            until_on=form.cleaned_data["until_on"],
            reason=form.cleaned_data["reason"],
            actor=request.user,
            now=timezone.now(),
        ),
    )


@retention_setters_only
@allow_get_post
def destroy_details_page(request: CasinoRequest, casino: str, record: int) -> HttpResponse:
    kept = access_record(request.user, request.casino, record)
    form = DestroyForm(bound_data(request), request=request)
    act = ConfirmPage(
        f"Destroy the details of record {kept.pk}",
        (
            f"They would be kept until {format_day(kept.ends_on)}. They are gone at once, for everybody, and nothing "
            f"brings "
            "them back.",
            "The record, its digest and the list of who looked stay. So does your name with this act.",
        ),
        "Destroy the details",
        casino_url("patrons:record", request.casino, record=kept.pk),
        f"Record {kept.pk}",
        f"The details of record {kept.pk} are destroyed.",
        is_danger=True,
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: destroy_details(
            doomed=kept, reason=form.cleaned_data["reason"], actor=request.user, now=timezone.now()
        ),
    )


@retention_setters_only
@allow_get_post
def set_retention_years(request: CasinoRequest, casino: str, subject: str) -> HttpResponse:
    if subject not in SUBJECTS:
        raise NotFound
    about = SUBJECTS[subject]
    years = retention_years(request.casino, subject, timezone.now())
    form = RetentionForm(bound_data(request), request=request, initial={"years": years})
    act = ConfirmPage(
        f"How long details are kept: {about.label.lower()}",
        (
            f"Details are kept for {years} years now.",
            "The new time holds for details that are kept from now on. What is there already keeps its last day.",
        ),
        "Set the time",
        casino_url("patrons:retention", request.casino),
        "How long details are kept",
        f"{about.label}: the new time holds from now on.",
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: set_retention(
            casino=request.casino,
            subject=about,
            years=form.cleaned_data["years"],
            reason=form.cleaned_data["reason"],
            actor=request.user,
            now=timezone.now(),
        ),
    )
