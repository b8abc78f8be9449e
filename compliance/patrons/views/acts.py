"""Seeing the details, and what lengthens or shortens their life. Each is a page that says what follows."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables

from compliance.accounts.requests import CasinoRequest
from compliance.accounts.views.acts import asks_first
from compliance.accounts.views.steps import Act, act_page, posted
from compliance.patrons.forms import DestroyForm, HoldForm, RetentionForm, ShowForm
from compliance.patrons.looking import Shown, access_personal
from compliance.patrons.models import PersonalRecord, Purpose
from compliance.patrons.retention import years_kept
from compliance.patrons.selectors import access_record
from compliance.patrons.services import destroy_personal, hold_personal, set_retention
from compliance.patrons.subjects import MAY_SHORTEN, SUBJECTS
from compliance.patrons.views.records import address_of, day, overseers
from compliance.web.access import held_by
from compliance.web.components import SummaryList, SummaryRow
from compliance.web.errors import NotFound

shorteners = held_by(*MAY_SHORTEN)


@overseers
@never_cache
@asks_first
@sensitive_variables()
def show(request: CasinoRequest, casino: str, record: int) -> HttpResponse:
    """The details are in the answer to the submission alone: there is no address that shows them again."""
    kept = access_record(request.user, request.casino, record)
    form = ShowForm(posted(request))
    shown = None
    if request.method == "POST" and form.is_valid():
        purpose, note = Purpose(form.cleaned_data["purpose"]), form.cleaned_data["note"]
        shown = access_personal(request.user, request.casino, kept.pk, purpose=purpose, note=note, now=timezone.now())
    context = {
        "casino": request.casino,
        "record": kept,
        "form": form,
        "back": address_of("record", request.casino, record=kept.pk),
        "details": _details(shown) if shown else None,
    }
    return render(request, "patrons/show.html", context)


def _details(shown: Shown) -> SummaryList:
    """The name first: it is what people look for. The rest as it is stored."""
    in_order = sorted(shown.fields.items(), key=lambda field: field[0] != "name")
    return SummaryList([SummaryRow(_words(name), _value(value)) for name, value in in_order], "As they were given")


def _words(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _value(value: object) -> object:
    return ", ".join(map(str, value)) if isinstance(value, list) else value


def _act(request: CasinoRequest, kept: PersonalRecord, title: str, *consequences: str, submit: str, done: str) -> Act:
    back = address_of("record", request.casino, record=kept.pk)
    return Act(title, consequences, submit, back, f"Record {kept.pk}", done)


@overseers
@never_cache
@asks_first
def hold(request: CasinoRequest, casino: str, record: int) -> HttpResponse:
    kept = access_record(request.user, request.casino, record)
    form = HoldForm(posted(request), request=request)
    act = _act(
        request, kept, f"Keep record {kept.pk} longer",
        f"It is kept until {day(kept.ends_on)}. You can set a later day, never an earlier one.",
        "Until that day nobody can destroy the details. A hold cannot be taken back.",
        submit="Keep it longer", done=f"Record {kept.pk} is kept longer.",
    )  # fmt: skip
    return act_page(
        request, act, form,
        lambda: hold_personal(
            held=kept, until_on=form.cleaned_data["until_on"], reason=form.cleaned_data["reason"],
            actor=request.user, now=timezone.now(),
        ),
    )  # fmt: skip


@shorteners
@never_cache
@asks_first
def destroy(request: CasinoRequest, casino: str, record: int) -> HttpResponse:
    kept = access_record(request.user, request.casino, record)
    form = DestroyForm(posted(request), request=request)
    act = Act(
        f"Destroy the details of record {kept.pk}",
        (
            f"They would be kept until {day(kept.ends_on)}. They are gone at once, for everybody, and nothing brings "
            "them back.",
            "The record, its digest and the list of who looked stay. So does your name with this act.",
        ),
        "Destroy the details",
        address_of("record", request.casino, record=kept.pk),
        f"Record {kept.pk}",
        f"The details of record {kept.pk} are destroyed.",
        is_danger=True,
    )
    return act_page(
        request, act, form,
        lambda: destroy_personal(
            doomed=kept, reason=form.cleaned_data["reason"], actor=request.user, now=timezone.now()
        ),
    )  # fmt: skip


@shorteners
@never_cache
@asks_first
def set_years(request: CasinoRequest, casino: str, subject: str) -> HttpResponse:
    if subject not in SUBJECTS:
        raise NotFound
    about = SUBJECTS[subject]
    years = years_kept(request.casino, subject, timezone.now())
    form = RetentionForm(posted(request), request=request, initial={"years": years})
    act = Act(
        f"How long details are kept: {about.label.lower()}",
        (
            f"Details are kept for {years} years now.",
            "The new time holds for details that are kept from now on. What is there already keeps its last day.",
        ),
        "Set the time",
        address_of("retention", request.casino),
        "How long details are kept",
        f"{about.label}: the new time holds from now on.",
    )
    return act_page(
        request, act, form,
        lambda: set_retention(
            casino=request.casino, subject=about, years=form.cleaned_data["years"],
            reason=form.cleaned_data["reason"], actor=request.user, now=timezone.now(),
        ),
    )  # fmt: skip
