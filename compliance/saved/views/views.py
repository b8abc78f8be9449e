"""The views of a casino's lists that a person can use; keeping one, opening, changing and removing it."""

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.requests import CasinoRequest, PersonRequest
from compliance.accounts.roles import EVERY_ROLE
from compliance.accounts.views.acts import asks_first
from compliance.accounts.views.choosing import choose_casino
from compliance.accounts.views.steps import Act, act_page, posted
from compliance.saved.audiences import AUDIENCES
from compliance.saved.errors import ListGone
from compliance.saved.forms import ViewForm
from compliance.saved.models import SavedView, Subscription
from compliance.saved.opening import may_open
from compliance.saved.selectors import access_own_view, access_view, subscription_to, views_for
from compliance.saved.services import change_view, keep_view, remove_view
from compliance.saved.shelf import read_list
from compliance.saved.views.places import address_of, narrowed_words, people
from compliance.saved.views.telling import told_table
from compliance.web.components import Column, SummaryList, SummaryRow, Table
from compliance.web.errors import NotFound, Refusal
from compliance.web.templatetags.kit import local


@people
@require_safe
def casinos(request: PersonRequest) -> HttpResponse:
    return choose_casino(
        request, EVERY_ROLE, lambda casino: address_of("views", casino),
        title="Your views", caption="Casinos whose lists you open",
    )  # fmt: skip


@people
@never_cache
@require_safe
def views(request: CasinoRequest, casino: str) -> HttpResponse:
    told = {
        one.view_id: one.get_every_display()
        for one in Subscription.objects.running().filter(person=request.user, view__casino=request.casino)
    }
    table = Table(
        caption=f"Views you can use at {request.casino}",
        columns=(
            Column("View", "name", sort="name", is_row_heading=True, link=lambda row: row.opening_url),
            Column("List", "list_words", sort="list_words"),
            Column("Narrowed and sorted by", narrowed_words),
            Column("Whose", lambda row: _whose(row, request)),
            Column("Shared with", _shared_words),
            Column("You are told", lambda row: told.get(row.pk, "")),
            Column("More", lambda row: "Change or be told", link=lambda row: row.get_absolute_url(), is_control=True),
        ),
        rows=views_for(request.user, request.casino),
        query=request.GET,
        is_caption_hidden=True,
        empty="No view is kept yet. Open a list, set its filter, and choose “Keep this view”.",
    )
    return render(request, "saved/views.html", {"casino": request.casino, "table": table})


def _whose(view: SavedView, request: CasinoRequest) -> str:
    return "Yours" if view.owner_id == request.user.pk else view.owner.name


def _shared_words(view: SavedView) -> str:
    return AUDIENCES[view.shared_with][0] if view.shared_with else ""


@people
@never_cache
@asks_first
def keep(request: CasinoRequest, casino: str) -> HttpResponse:
    """Only what a page of the service offered can be kept: the link to here is signed."""
    shown = read_list(request.GET.get("list", ""), request.casino)
    if shown is None:
        raise NotFound
    form = ViewForm(posted(request), person=request.user, casino=request.casino)
    if request.method == "POST" and form.is_valid():
        try:
            kept = keep_view(
                casino=request.casino, shown=shown, **form.cleaned_data, actor=request.user, now=timezone.now()
            )
        except Refusal as refusal:
            form.add_error(None, refusal.words)
        else:
            messages.success(request, f"The view is kept as “{kept}”.")
            return redirect(kept)
    context = {
        "casino": request.casino, "form": form, "list_words": shown["words"],
        "back": f"{shown['path']}?{shown['query']}",
        "narrowed": narrowed_words(SavedView(query=shown["query"])),
    }  # fmt: skip
    return render(request, "saved/keep.html", context)


@people
@never_cache
@require_safe
def view(request: CasinoRequest, casino: str, view: int) -> HttpResponse:
    it = access_view(request.user, request.casino, view)
    subscription = subscription_to(it, request.user)
    rows = [
        SummaryRow("List", it.list_words),
        SummaryRow("Narrowed and sorted by", narrowed_words(it)),
        SummaryRow("Whose", _whose(it, request)),
        SummaryRow("Shared with", _shared_words(it) or "Nobody"),
        SummaryRow("You are told", subscription.get_every_display() if subscription else "No"),
    ]
    if subscription:
        rows.append(SummaryRow("Looked at last", local(subscription.looked_at, request.casino)))
        rows.append(SummaryRow("Looked at next", local(subscription.next_look_at, request.casino)))
    context = {
        "casino": request.casino, "view": it, "is_own": it.owner_id == request.user.pk, "subscription": subscription,
        "summary": SummaryList(rows), "table": told_table(request, it),
    }  # fmt: skip
    return render(request, "saved/view.html", context)


@people
@never_cache
@require_safe
def open_view(request: CasinoRequest, casino: str, view: int) -> HttpResponse:
    """To the list, which applies its own rule once more and says what it does not know any more."""
    it = access_view(request.user, request.casino, view)
    if not may_open(it, request.user):
        raise ListGone
    return redirect(it.address)


@people
@never_cache
@asks_first
def change(request: CasinoRequest, casino: str, view: int) -> HttpResponse:
    it = access_own_view(request.user, request.casino, view)
    known = {"name": it.name, "shared_with": it.shared_with, "is_usual": it.is_usual}
    form = ViewForm(posted(request), initial=known, person=request.user, casino=request.casino)
    act = Act(
        f"Change the view “{it}”", (f"It is a view of the list “{it.list_words}”.",), "Save", it.get_absolute_url(),
        it.name, "The view is changed.",
    )  # fmt: skip
    return act_page(request, act, form, lambda: change_view(view=it, **form.cleaned_data, actor=request.user))


@people
@never_cache
@asks_first
def remove(request: CasinoRequest, casino: str, view: int) -> HttpResponse:
    it = access_own_view(request.user, request.casino, view)
    act = Act(
        f"Remove the view “{it}”",
        ("Nobody can use it any more, and nobody is told of it. The list itself stays as it is.",), "Remove",
        it.get_absolute_url(), it.name, "The view is removed.", is_danger=True,
    )  # fmt: skip
    return act_page(
        request, act, forms.Form(posted(request)), lambda: remove_view(view=it, actor=request.user),
        then=address_of("views", request.casino),
    )  # fmt: skip
