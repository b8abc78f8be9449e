"""Evidence to take away: asking for it, watching it being prepared, downloading it."""

from typing import Any

from django.http import FileResponse, HttpResponse
from django.shortcuts import redirect, render
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from compliance.accounts.requests import CasinoRequest
from compliance.accounts.views.steps import posted
from compliance.evidence.errors import BundleGone, BundleNotReady
from compliance.evidence.forms import BundleForm
from compliance.evidence.models import Bundle
from compliance.evidence.selectors import access_bundle, bundles_of
from compliance.evidence.services import ask_for_chosen, ask_for_days, ask_for_range, ask_for_times
from compliance.evidence.states import State
from compliance.evidence.views.places import address_of, takers
from compliance.web.components import Column, SummaryList, SummaryRow, Table
from compliance.web.errors import Refusal
from compliance.web.templatetags.kit import local
from rounds.ledger.read_only import is_read_only
from rounds.ledger.searching import size_of


@takers
@never_cache
@require_safe
def bundles(request: CasinoRequest, casino: str) -> HttpResponse:
    place = request.casino
    table = Table(
        caption="Bundles, newest first",
        columns=(
            Column(
                "Bundle", lambda row: f"Bundle {row.pk}", is_row_heading=True,
                link=lambda row: address_of("bundle", place, bundle=row.pk),
            ),
            Column("What", "words"),
            Column("State", "tag"),
            Column("Asked for by", "asked_by_name", sort="asked_by_name"),
            Column("Asked for", lambda row: local(row.asked_at, place), sort="asked_at"),
            Column("Size", lambda row: _size(row), is_figure=True, sort="file_bytes"),
        ),
        rows=bundles_of(place),
        query=request.GET,
        sort="-asked_at",
        empty="No evidence was prepared yet.",
    )  # fmt: skip
    return render(request, "evidence/bundles.html", {"casino": place, "table": table})


def _size(bundle: Bundle) -> str:
    return "" if bundle.file_bytes is None else filesizeformat(bundle.file_bytes)


@takers
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: CasinoRequest, casino: str) -> HttpResponse:
    size = size_of(casino)
    form = BundleForm(posted(request), casino=request.casino, size=size, initial=_initial(request))
    if request.method == "POST" and form.is_valid():
        try:
            bundle = _ask(form, request)
        except Refusal as refusal:
            form.add_error(None, refusal.words)
        else:
            return redirect(address_of("bundle", request.casino, bundle=bundle.pk))
    context = {"casino": request.casino, "form": form, "size": size, "is_read_only": is_read_only(casino)}
    return render(request, "evidence/new-bundle.html", context)


def _initial(request: CasinoRequest) -> dict[str, Any]:
    """What the list of entries was sent with, those that were ticked; or the entries that another page is about."""
    first, last = request.GET.get("first", ""), request.GET.get("last", "")
    if all(text.isascii() and text.isdigit() for text in (first, last)):
        return {"what": BundleForm.RANGE, "first": first, "last": last}
    ticked = [text for text in request.GET.getlist("entry") if text.isascii() and text.isdigit()]
    return {"what": BundleForm.CHOSEN, "chosen": ", ".join(sorted(ticked, key=int))} if ticked else {}


def _ask(form: BundleForm, request: CasinoRequest) -> Bundle:
    typed, casino, actor, now = form.cleaned_data, request.casino, request.user, timezone.now()
    if typed["what"] == BundleForm.TIMES:
        return ask_for_times(casino=casino, since=typed["since"], until=typed["until"], actor=actor, now=now)
    if typed["what"] == BundleForm.RANGE:
        return ask_for_range(casino=casino, first=typed["first"], last=typed["last"], actor=actor, now=now)
    if typed["what"] == BundleForm.DAYS:
        days = {"first_day": typed["first_day"], "last_day": typed["last_day"]}
        return ask_for_days(casino=casino, **days, actor=actor, now=now)
    return ask_for_chosen(casino=casino, indexes=typed["chosen"], actor=actor, now=now)


@takers
@never_cache
@require_safe
def bundle(request: CasinoRequest, casino: str, bundle: int) -> HttpResponse:
    found = access_bundle(request.user, request.casino, bundle)
    return render(request, "evidence/bundle.html", _shown(request, found))


@takers
@never_cache
@require_safe
def progress(request: CasinoRequest, casino: str, bundle: int) -> HttpResponse:
    """The part of the page that changes while the bundle is prepared."""
    found = access_bundle(request.user, request.casino, bundle)
    return render(request, "evidence/bundle-state.html", _shown(request, found))


def _shown(request: CasinoRequest, bundle: Bundle) -> dict[str, Any]:
    place = request.casino
    rows = [
        SummaryRow("What", bundle.words),
        SummaryRow("Asked for by", bundle.asked_by_name),
        SummaryRow("Asked for", local(bundle.asked_at, place)),
        SummaryRow("State", bundle.tag),
    ]
    if bundle.entry_index is not None:
        entry = address_of("entry", place, index=bundle.entry_index)
        rows += [
            SummaryRow("Held to a checkpoint of", f"{bundle.checkpoint_size:,} entries"),
            SummaryRow("Size of the file", _size(bundle)),
            SummaryRow("SHA-256 of the file", format_html('<code class="copyable">{}</code>', bundle.file_sha256)),
            SummaryRow("Recorded as", format_html('<a href="{}">Entry {}</a>', entry, f"{bundle.entry_index:,}")),
            SummaryRow("File removed" if bundle.removed_at else "Kept until", local(bundle.removed_on, place)),
        ]
    waits = bundle.is_unfinished and is_read_only(place.slug)
    return {"casino": place, "bundle": bundle, "summary": SummaryList(rows), "is_read_only": waits}


@takers
@never_cache
@require_safe
def download(request: CasinoRequest, casino: str, bundle: int) -> FileResponse:
    found = access_bundle(request.user, request.casino, bundle)
    if found.state == State.REMOVED:
        raise BundleGone
    if not found.is_ready:
        raise BundleNotReady
    try:
        file = found.path.open("rb")
    except FileNotFoundError as error:
        raise BundleGone("The file was removed from the disk by somebody.") from error
    return FileResponse(file, as_attachment=True, filename=f"{found.name}.zip")
