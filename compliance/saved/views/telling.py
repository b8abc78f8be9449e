"""Being told of what is new in a view, and what one was told."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from compliance.accounts.requests import CasinoRequest
from compliance.accounts.views.acts import asks_first
from compliance.accounts.views.steps import Act, act_page, posted
from compliance.saved.forms import TellForm
from compliance.saved.models import Part, SavedView
from compliance.saved.selectors import access_view, subscription_to, told_of
from compliance.saved.services import QUIET_FOR, subscribe, unsubscribe
from compliance.saved.states import Every
from compliance.saved.views.places import people
from compliance.web.components import Column, Table
from compliance.web.templatetags.kit import local


@people
@never_cache
@asks_first
def tell(request: CasinoRequest, casino: str, view: int) -> HttpResponse:
    it = access_view(request.user, request.casino, view)
    running = subscription_to(it, request.user)
    form = TellForm(posted(request), initial={"every": running.every} if running else {})
    act = Act(
        f"Be told of “{it}”",
        (
            "An e-mail says how many are new, with a link to the view; it names nobody. If nothing is new, none comes.",
            f"At once means within a minute or two, and one e-mail in {QUIET_FOR.seconds // 60} minutes at most.",
            "Once a gaming day or week: when it is over, by the clock of the casino.",
        ),
        "Save", it.get_absolute_url(), it.name, "You will be told.",
    )  # fmt: skip
    return act_page(
        request, act, form,
        lambda: subscribe(
            view=it, every=Every(form.cleaned_data["every"]), actor=request.user, now=timezone.now()
        ),
    )  # fmt: skip


@people
@require_POST
def stop(request: CasinoRequest, casino: str, view: int) -> HttpResponse:
    it = access_view(request.user, request.casino, view)
    running = subscription_to(it, request.user)
    if running is not None:
        unsubscribe(subscription=running, now=timezone.now())
        messages.success(request, "You will not be told any more.")
    return redirect(it)


def told_table(request: CasinoRequest, view: SavedView) -> Table:
    def together(part: Part) -> str:
        return f"{'more than ' if part.is_cut else ''}{part.together:,}"

    return Table(
        caption="What you were told, the newest first",
        columns=(
            Column("Found", lambda row: local(row.message.made_at, request.casino), is_row_heading=True),
            Column("New", "new", is_figure=True),
            Column("In the view then", together, is_figure=True),
            Column("E-mail", "message.tag"),
            Column("Sent", lambda row: local(row.message.sent_at, request.casino)),
            Column("Attempts", "message.attempts", is_figure=True),
        ),
        rows=told_of(view, request.user),
        query=request.GET,
        is_caption_hidden=True,
        empty="Nothing yet.",
    )
