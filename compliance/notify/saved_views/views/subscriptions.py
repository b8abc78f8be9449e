"""Pages to subscribe to new rows of a view, and the messages received."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.ui.components import Column, DataTable
from compliance.core.web.ui.confirm_page import ConfirmPage, allow_get_post, bound_data, confirm_page
from compliance.notify.saved_views.models import MessagePart, SavedView
from compliance.notify.saved_views.selectors import access_view, message_parts_of, subscription_to
from compliance.notify.saved_views.services import QUIET_PERIOD, subscribe, unsubscribe
from compliance.notify.saved_views.states import Frequency
from compliance.notify.saved_views.views.common import any_role_only
from compliance.notify.saved_views.views.forms import SubscribeForm


@any_role_only
@allow_get_post
def subscribe_page(request: CasinoRequest, casino: str, view: int) -> HttpResponse:
    it = access_view(request.user, request.casino, view)
    running = subscription_to(it, request.user)
    form = SubscribeForm(bound_data(request), initial={"every": running.every} if running else {})
    act = ConfirmPage(
        f"Be told of “{it}”",
        (
            "An e-mail says how many are new, with a link to the view; it names nobody. If nothing is new, none comes.",
            f"At once means within a minute or two, and one e-mail in {QUIET_PERIOD.seconds // 60} minutes at most.",
            "Once a gaming day or week: when it is over, by the clock of the casino.",
        ),
        "Save",
        it.get_absolute_url(),
        it.name,
        "You will be told.",
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: subscribe(view=it, every=Frequency(form.cleaned_data["every"]), actor=request.user, now=timezone.now()),
    )


@any_role_only
@require_POST
def stop_subscription(request: CasinoRequest, casino: str, view: int) -> HttpResponse:
    it = access_view(request.user, request.casino, view)
    running = subscription_to(it, request.user)
    if running is not None:
        unsubscribe(subscription=running, now=timezone.now())
        messages.success(request, "You will not be notified any more.")
    return redirect(it)


def messages_table(request: CasinoRequest, view: SavedView) -> DataTable:
    def row_count_text(part: MessagePart) -> str:
        return f"{'more than ' if part.is_cut else ''}{part.together:,}"

    return DataTable(
        caption="Messages sent to you, the newest first",
        columns=(
            Column("Found", "message.made_at", is_row_heading=True),
            Column("New", "new", is_figure=True),
            Column("In the view then", row_count_text, is_figure=True),
            Column("E-mail", "message.email.tag"),
            Column("Sent", "message.email.sent_at"),
            Column("Attempts", "message.email.attempts", is_figure=True),
        ),
        rows=message_parts_of(view, request.user),
        is_caption_hidden=True,
        empty="Nothing yet.",
    )
