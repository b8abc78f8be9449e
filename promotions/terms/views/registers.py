"""Registers: marketing material that refers to the terms, and the Authority's prescribed prizes."""

from functools import partial

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.http import require_safe

from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.corrections.list_marks import CorrectionMarks
from compliance.core.corrections.selectors import newest_indexes, record_lines
from compliance.core.web.errors import Refusal
from compliance.core.web.ui.components import Column, DataTable, Tag
from compliance.core.web.ui.confirm_page import ConfirmPage, allow_get_post, bound_data, confirm_page
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.core.web.ui.precheck import carry_out
from promotions.shared.duties import require_duties
from promotions.shared.permissions import MAY_DECIDE, MAY_WRITE
from promotions.terms.content.prize_rules import prescribed_list_clause
from promotions.terms.forms.actions import MaterialForm, PrescribeForm, UnprescribeForm
from promotions.terms.models import Material, PrescribedItem
from promotions.terms.selectors import access_attachment, access_prescribed, access_promotion
from promotions.terms.services import add_prescribed_item, record_material, remove_prescribed_item
from promotions.terms.views.common import deciders, readers, writers


@readers
@require_safe
def materials(request: CasinoRequest, casino: str, promotion: int) -> ListResponse:
    found = access_promotion(request.user, request.casino, promotion)
    marks = CorrectionMarks(request.casino)
    table = DataTable(
        caption=f"Marketing material of {found.reference}",
        columns=(
            Column("What", "get_medium_display", is_row_heading=True, sort="medium"),
            Column("Description", "description", sort="description"),
            Column("Used from", lambda row: f"{row.used_from_on.day} {row.used_from_on:%b %Y}", sort="used_from_on"),
            Column("Refers to the terms", _reference_cell),
            Column("Picture", lambda row: f"Picture of {row}" if row.file_sha256 else "", display=_picture_link),
            Column("Recorded", "at", sort="at"),
            marks.column,
        ),
        rows=Material.recorded.filter(promotion=found).select_related("promotion__casino"),
        prepare=marks.read,
        sort="-used_from_on",
        empty="No marketing material is recorded yet. It must refer to the terms (clause 10.6 of the NSW rules).",
    )
    context = {
        "promotion": found,
        "table": table,
        "may_write": request.user.has_role(*MAY_WRITE, casino=request.casino),
        "corrections": record_lines(
            request.user, request.casino, newest_indexes(Material.recorded.filter(promotion=found))
        ),
    }
    return list_response(request, "terms/materials.html", context)


def _reference_cell(row: Material) -> object:
    return row.where if row.is_referring else Tag("No", "danger")


def _picture_link(row: Material) -> str:
    if not row.file_sha256:
        return ""
    href = casino_url("terms:attachment", row.promotion.casino, sha256=row.file_sha256)
    return format_html('<a href="{}">Open<span class="visually-hidden"> the picture of {}</span></a>', href, row)


@writers
@allow_get_post
def new_material(request: CasinoRequest, casino: str, promotion: int) -> HttpResponse:
    found = access_promotion(request.user, request.casino, promotion)
    form = MaterialForm(bound_data(request), request.FILES or None)
    back = found.address("materials")
    if request.method == "POST" and form.is_valid():
        typed = form.cleaned_data
        record = partial(
            record_material,
            promotion=found,
            medium=typed["medium"],
            description=typed["description"],
            used_from_on=typed["used_from_on"],
            is_referring=typed["is_referring"] == "yes",
            where=typed["where"],
            upload=typed["file"],
            actor=request.user,
            now=timezone.now(),
        )
        try:
            carry_out(request, form, record)
        except Refusal as refusal:
            form.add_error(None, refusal.full_message)
        else:
            messages.success(request, "The material is recorded.")
            return redirect(back)
    context = {"casino": request.casino, "promotion": found, "form": form, "back": back}
    return render(request, "terms/material.html", context)


@readers
@require_safe
def attachment(request: CasinoRequest, casino: str, sha256: str) -> HttpResponse:
    """Always sent as a download, never inline, because it is user content."""
    found = access_attachment(request.user, request.casino, sha256)
    headers = {
        "Content-Disposition": f'attachment; filename="{found.sha256[:12]}.{found.media_type.rpartition("/")[2]}"'
    }
    return HttpResponse(bytes(found.content), content_type=found.media_type, headers=headers)


@readers
@require_safe
def prescribed_items(request: CasinoRequest, casino: str) -> ListResponse:
    now = timezone.now()
    may_keep = request.user.has_role(*MAY_DECIDE, casino=request.casino)
    columns = [
        Column("Item or service", "item", is_row_heading=True, sort="item"),
        Column("Prescribed by", "basis"),
        Column("Listed", "at", sort="at"),
        Column("By", "by.name"),
    ]
    if may_keep:
        columns.append(
            Column(
                "Action",
                lambda row: format_html('Take off<span class="visually-hidden"> {}</span>', row.item),
                is_control=True,
                link=lambda row: casino_url("terms:unprescribe", request.casino, item=row.pk),
            )
        )
    table = DataTable(
        caption="Prescribed prizes",
        columns=columns,
        sort="item",
        rows=PrescribedItem.objects.listed(now).filter(casino=request.casino).select_related("by"),
        empty="Nothing is on the list: no regulation is known here to prescribe an item or service.",
    )
    clause = prescribed_list_clause(require_duties(request.casino, now).duties)
    context = {"table": table, "may_keep": may_keep, "clause": clause}
    return list_response(request, "terms/prescribed.html", context)


@deciders
@allow_get_post
def add_item(request: CasinoRequest, casino: str) -> HttpResponse:
    form = PrescribeForm(bound_data(request), request=request)
    act = ConfirmPage(
        "Put an item on the list of prescribed prizes",
        ("From now on no draft with such a prize can be filed. What was filed before stays as it is.",),
        "Put it on the list",
        casino_url("terms:prescribed", request.casino),
        "Prescribed prizes",
        "It is on the list.",
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: add_prescribed_item(
            casino=request.casino,
            item=form.cleaned_data["item"],
            basis=form.cleaned_data["basis"],
            actor=request.user,
            now=timezone.now(),
        ),
    )


@deciders
@allow_get_post
def remove_item(request: CasinoRequest, casino: str, item: int) -> HttpResponse:
    listed = access_prescribed(request.user, request.casino, item, timezone.now())
    form = UnprescribeForm(bound_data(request), request=request)
    act = ConfirmPage(
        f"Take “{listed}” off the list of prescribed prizes",
        ("From now on it can be a prize again. What was filed while it was on the list is still judged by the list.",),
        "Take it off",
        casino_url("terms:prescribed", request.casino),
        "Prescribed prizes",
        "It is off the list.",
        is_danger=True,
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: remove_prescribed_item(
            item=listed, reason=form.cleaned_data["reason"], actor=request.user, now=timezone.now()
        ),
    )
