"""Pages of saved views: list, save, open, change, remove."""

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from compliance.core.accounts.request_types import CasinoRequest, PersonRequest
from compliance.core.accounts.roles import ALL_ROLES
from compliance.core.accounts.views.casino_picker import choose_casino
from compliance.core.web.errors import NotFound, Refusal
from compliance.core.web.templatetags.ui import local
from compliance.core.web.ui.components import Column, DataTable, SummaryList, SummaryRow
from compliance.core.web.ui.confirm_page import ConfirmPage, allow_get_post, bound_data, confirm_page
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.notify.saved_views.audiences import AUDIENCES
from compliance.notify.saved_views.errors import ListGone
from compliance.notify.saved_views.filter_panel import read_signed_list_url
from compliance.notify.saved_views.list_access import may_open_view
from compliance.notify.saved_views.models import SavedView, Subscription
from compliance.notify.saved_views.selectors import access_own_view, access_view, subscription_to, views_for
from compliance.notify.saved_views.services import change_view, remove_view, save_view
from compliance.notify.saved_views.views.common import any_role_only, filters_text
from compliance.notify.saved_views.views.forms import ViewForm
from compliance.notify.saved_views.views.subscriptions import messages_table


@any_role_only
@require_safe
def choose_views_casino(request: PersonRequest) -> HttpResponse:
    return choose_casino(
        request,
        ALL_ROLES,
        lambda casino: casino_url("saved:views", casino),
        title="Your views",
        caption="Casinos whose lists you open",
    )


@any_role_only
@require_safe
def list_views(request: CasinoRequest, casino: str) -> ListResponse:
    frequency_by_view = {
        one.view_id: one.get_every_display()
        for one in Subscription.objects.active().filter(person=request.user, view__casino=request.casino)
    }
    table = DataTable(
        caption=f"Views you can use at {request.casino}",
        columns=(
            Column("View", "name", sort="name", is_row_heading=True, link=lambda row: row.open_url),
            Column("List", "list_words", sort="list_words"),
            Column("Narrowed and sorted by", filters_text),
            Column("Whose", lambda row: _owner_text(row, request)),
            Column("Shared with", _audience_text),
            Column("You are told", lambda row: frequency_by_view.get(row.pk, "")),
            Column("More", lambda row: "Change or be told", link=lambda row: row.get_absolute_url(), is_control=True),
        ),
        rows=views_for(request.user, request.casino),
        is_caption_hidden=True,
        empty="No view is kept yet. Open a list, set its filter, and choose “Keep this view”.",
    )
    return list_response(request, "saved_views/views.html", {"table": table})


def _owner_text(view: SavedView, request: CasinoRequest) -> str:
    return "Yours" if view.owner_id == request.user.pk else view.owner.name


def _audience_text(view: SavedView) -> str:
    return AUDIENCES[view.shared_with][0] if view.shared_with else ""


@any_role_only
@allow_get_post
def save_view_page(request: CasinoRequest, casino: str) -> HttpResponse:
    """Saves only what a page of the service offered: the link to this page is signed."""
    offered = read_signed_list_url(request.GET.get("list", ""), request.casino)
    if offered is None:
        raise NotFound
    form = ViewForm(bound_data(request), person=request.user, casino=request.casino)
    if request.method == "POST" and form.is_valid():
        try:
            saved = save_view(
                casino=request.casino, signed_list=offered, **form.cleaned_data, actor=request.user, now=timezone.now()
            )
        except Refusal as refusal:
            form.add_error(None, refusal.full_message)
        else:
            messages.success(request, f"The view is kept as “{saved}”.")
            return redirect(saved)
    context = {
        "casino": request.casino,
        "form": form,
        "list_words": offered["words"],
        "back": f"{offered['path']}?{offered['query']}",
        "narrowed": filters_text(SavedView(query=offered["query"])),
    }
    return render(request, "saved_views/save.html", context)


@any_role_only
@require_safe
def show_view(request: CasinoRequest, casino: str, view: int) -> ListResponse:
    it = access_view(request.user, request.casino, view)
    subscription = subscription_to(it, request.user)
    rows = [
        SummaryRow("List", it.list_words),
        SummaryRow("Narrowed and sorted by", filters_text(it)),
        SummaryRow("Whose", _owner_text(it, request)),
        SummaryRow("Shared with", _audience_text(it) or "Nobody"),
        SummaryRow("You are told", subscription.get_every_display() if subscription else "No"),
    ]
    if subscription:
        rows.append(SummaryRow("Looked at last", local(subscription.looked_at, request.casino)))
        rows.append(SummaryRow("Looked at next", local(subscription.next_look_at, request.casino)))
    context = {
        "view": it,
        "is_own": it.owner_id == request.user.pk,
        "subscription": subscription,
        "summary": SummaryList(rows),
        "table": messages_table(request, it),
    }
    return list_response(request, "saved_views/view.html", context)


@any_role_only
@require_safe
def open_view(request: CasinoRequest, casino: str, view: int) -> HttpResponse:
    """Redirects to the list, which checks access again and reports filters it no longer knows."""
    it = access_view(request.user, request.casino, view)
    if not may_open_view(it, request.user):
        raise ListGone
    return redirect(it.list_url)


@any_role_only
@allow_get_post
def change_view_page(request: CasinoRequest, casino: str, view: int) -> HttpResponse:
    it = access_own_view(request.user, request.casino, view)
    known = {"name": it.name, "shared_with": it.shared_with, "is_usual": it.is_usual}
    form = ViewForm(bound_data(request), initial=known, person=request.user, casino=request.casino)
    act = ConfirmPage(
        f"Change the view “{it}”",
        (f"It is a view of the list “{it.list_words}”.",),
        "Save",
        it.get_absolute_url(),
        it.name,
        "The view is changed.",
    )
    return confirm_page(request, act, form, lambda: change_view(view=it, **form.cleaned_data, actor=request.user))


@any_role_only
@allow_get_post
def remove_view_page(request: CasinoRequest, casino: str, view: int) -> HttpResponse:
    it = access_own_view(request.user, request.casino, view)
    act = ConfirmPage(
        f"Remove the view “{it}”",
        ("Nobody can use it any more, and nobody is told of it. The list itself stays as it is.",),
        "Remove",
        it.get_absolute_url(),
        it.name,
        "The view is removed.",
        is_danger=True,
    )
    return confirm_page(
        request,
        act,
        forms.Form(bound_data(request)),
        lambda: remove_view(view=it, actor=request.user),
        redirect_to=casino_url("saved:views", request.casino),
    )
