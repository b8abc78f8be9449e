"""Bundles: request one, watch its progress, cancel or retry it, download it."""

from typing import Any

from django.contrib import messages
from django.http import FileResponse, HttpResponse
from django.shortcuts import redirect, render
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.errors import Refusal
from compliance.core.web.templatetags.ui import local
from compliance.core.web.ui.components import Column, DataTable, SummaryList, SummaryRow
from compliance.core.web.ui.confirm_page import bound_data
from compliance.core.web.ui.links import casino_url, entry_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.transparency.ledger_pages.errors import BundleNotReady, BundleRemoved
from compliance.transparency.ledger_pages.forms import BundleForm
from compliance.transparency.ledger_pages.models import Bundle
from compliance.transparency.ledger_pages.selectors import access_bundle, bundles_of
from compliance.transparency.ledger_pages.services import (
    cancel_bundle,
    request_gaming_days_bundle,
    request_period_bundle,
    request_range_bundle,
    request_selection_bundle,
    retry_bundle,
)
from compliance.transparency.ledger_pages.views.common import exporters_only
from rounds.ledger import read_only, size_of


@exporters_only
@require_safe
def bundle_list(request: CasinoRequest, casino: str) -> ListResponse:
    place = request.casino
    table = DataTable(
        caption="Bundles, newest first",
        columns=(
            Column(
                "Bundle",
                lambda row: f"Bundle {row.pk}",
                is_row_heading=True,
                link=lambda row: casino_url("evidence:bundle", place, bundle=row.pk),
            ),
            Column("What", "description"),
            Column("State", "tag"),
            Column("Asked for by", "asked_by_name", sort="asked_by_name"),
            Column("Asked for", "asked_at", sort="asked_at"),
            Column("Size", lambda row: _file_size_text(row), is_figure=True, sort="file_bytes"),
        ),
        rows=bundles_of(place),
        sort="-asked_at",
        empty="No evidence was prepared yet.",
    )
    return list_response(request, "ledger_pages/bundles.html", {"table": table})


def _file_size_text(bundle: Bundle) -> str:
    return "" if bundle.file_bytes is None else filesizeformat(bundle.file_bytes)


@exporters_only
@require_http_methods(["GET", "HEAD", "POST"])
def new_bundle(request: CasinoRequest, casino: str) -> HttpResponse:
    size = size_of(casino)
    form = BundleForm(bound_data(request), casino=request.casino, size=size, initial=_initial_form_data(request))
    if request.method == "POST" and form.is_valid():
        try:
            bundle = _request_from_form(form, request)
        except Refusal as refusal:
            form.add_error(None, refusal.full_message)
        else:
            return redirect(casino_url("evidence:bundle", request.casino, bundle=bundle.pk))
    context = {"casino": request.casino, "form": form, "size": size, "is_read_only": read_only.is_read_only(casino)}
    return render(request, "ledger_pages/new-bundle.html", context)


def _initial_form_data(request: CasinoRequest) -> dict[str, Any]:
    """The entries ticked in the list, or those that another page links to."""
    first, last = request.GET.get("first", ""), request.GET.get("last", "")
    if all(text.isascii() and text.isdigit() for text in (first, last)):
        return {"what": BundleForm.RANGE, "first": first, "last": last}
    ticked = [text for text in request.GET.getlist("entry") if text.isascii() and text.isdigit()]
    return {"what": BundleForm.CHOSEN, "chosen": ", ".join(sorted(ticked, key=int))} if ticked else {}


def _request_from_form(form: BundleForm, request: CasinoRequest) -> Bundle:
    typed, casino, actor, now = form.cleaned_data, request.casino, request.user, timezone.now()
    if typed["what"] == BundleForm.TIMES:
        return request_period_bundle(casino=casino, since=typed["since"], until=typed["until"], actor=actor, now=now)
    if typed["what"] == BundleForm.RANGE:
        return request_range_bundle(casino=casino, first=typed["first"], last=typed["last"], actor=actor, now=now)
    if typed["what"] == BundleForm.DAYS:
        days = {"first_day": typed["first_day"], "last_day": typed["last_day"]}
        return request_gaming_days_bundle(casino=casino, **days, actor=actor, now=now)
    return request_selection_bundle(casino=casino, indexes=typed["chosen"], actor=actor, now=now)


@exporters_only
@require_safe
def bundle_detail(request: CasinoRequest, casino: str, bundle: int) -> HttpResponse:
    requested = access_bundle(request.user, request.casino, bundle)
    return render(request, "ledger_pages/bundle.html", _bundle_context(request, requested))


@exporters_only
@require_safe
def bundle_progress(request: CasinoRequest, casino: str, bundle: int) -> HttpResponse:
    """htmx fragment: the part of the page that changes while the bundle is built."""
    requested = access_bundle(request.user, request.casino, bundle)
    return render(request, "ledger_pages/bundle-state.html", _bundle_context(request, requested))


@exporters_only
@require_POST
def cancel(request: CasinoRequest, casino: str, bundle: int) -> HttpResponse:
    requested = access_bundle(request.user, request.casino, bundle)
    cancel_bundle(bundle=requested, actor=request.user, now=timezone.now())
    messages.success(request, "The bundle is cancelled.")
    return redirect(casino_url("evidence:bundle", request.casino, bundle=requested.pk))


@exporters_only
@require_POST
def retry(request: CasinoRequest, casino: str, bundle: int) -> HttpResponse:
    requested = access_bundle(request.user, request.casino, bundle)
    retry_bundle(bundle=requested, actor=request.user)
    messages.success(request, "The bundle is prepared again.")
    return redirect(casino_url("evidence:bundle", request.casino, bundle=requested.pk))


def _bundle_context(request: CasinoRequest, bundle: Bundle) -> dict[str, Any]:
    casino = request.casino
    rows = [
        SummaryRow("What", bundle.description),
        SummaryRow("Asked for by", bundle.asked_by_name),
        SummaryRow("Asked for", local(bundle.asked_at, casino)),
        SummaryRow("State", bundle.tag),
    ]
    if bundle.entry_index is not None:
        entry = entry_url(casino, bundle.entry_index)
        rows += [
            SummaryRow("Held to a checkpoint of", f"{bundle.checkpoint_size:,} entries"),
            SummaryRow("Size of the file", _file_size_text(bundle)),
            SummaryRow("SHA-256 of the file", format_html('<code class="copyable">{}</code>', bundle.file_sha256)),
            SummaryRow("Recorded as", format_html('<a href="{}">Entry {}</a>', entry, f"{bundle.entry_index:,}")),
            SummaryRow("File removed" if bundle.removed_at else "Kept until", local(bundle.file_removed_at, casino)),
        ]
    is_waiting = bundle.is_unfinished and read_only.is_read_only(casino.slug)
    return {"casino": casino, "bundle": bundle, "summary": SummaryList(rows), "is_read_only": is_waiting}


@exporters_only
@require_safe
def download_bundle(request: CasinoRequest, casino: str, bundle: int) -> FileResponse:
    requested = access_bundle(request.user, request.casino, bundle)
    if not requested.is_done:
        raise BundleNotReady
    if requested.removed_at:
        raise BundleRemoved
    try:
        file = requested.path.open("rb")
    except FileNotFoundError as error:
        raise BundleRemoved("The file was removed from the disk by somebody.") from error
    return FileResponse(file, as_attachment=True, filename=f"{requested.name}.zip")
