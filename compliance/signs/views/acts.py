"""What people do with signs and displays: say that one is up or down, print one, set up a display, end it."""

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from compliance.accounts.requests import CasinoRequest
from compliance.accounts.views.acts import asks_first
from compliance.accounts.views.steps import Act, act_page, posted, site_of
from compliance.signs.clock import next_whole_minute
from compliance.signs.faces import facts_of
from compliance.signs.forms import DisplayForm, ShownForm
from compliance.signs.models import Sign
from compliance.signs.printing import SIGNED_AT, Paper, sign_pdf
from compliance.signs.selectors import access_display, access_sign
from compliance.signs.services import add_display, confirm_sign, end_display, take_down_sign
from compliance.signs.views.presenting import address_of, readers, supervisors, those_who_set_up
from compliance.web.errors import Refusal
from compliance.web.moments import moment_text
from compliance.web.signing import pdf_response
from rounds.floor.selectors import access_table


def _table_page(sign: Sign) -> str:
    return address_of("table", sign.casino, table=sign.table.slug)


@supervisors
@require_POST
def up(request: CasinoRequest, casino: str, sign: int) -> HttpResponse:
    """One tap, now."""
    found, now = access_sign(request.user, request.casino, sign), timezone.now()
    try:
        confirm_sign(sign=found, shown_at=now, actor=request.user, now=now)
    except Refusal as refusal:
        messages.error(request, refusal.words)
    else:
        messages.success(request, f"{found.table}: the sign is up.")
    return redirect(_table_page(found))


@supervisors
@never_cache
@asks_first
def confirm(request: CasinoRequest, casino: str, sign: int) -> HttpResponse:
    found, now = access_sign(request.user, request.casino, sign), timezone.now()
    form = ShownForm(posted(request), zone=request.casino.zone, initial={"shown_at": now})
    act = Act(
        title=f"{found.table}: the sign went up earlier",
        consequences=(
            "Say when it really went up. The clock counts from then.",
            "Your name and the time at which you say it are kept beside it.",
        ),
        submit="Confirm",
        back=_table_page(found),
        back_label=found.table.name,
        done=f"{found.table}: the sign is up.",
    )
    return act_page(
        request, act, form,
        lambda: confirm_sign(sign=found, shown_at=form.cleaned_data["shown_at"], actor=request.user, now=now),
    )  # fmt: skip


@supervisors
@never_cache
@asks_first
def down(request: CasinoRequest, casino: str, sign: int) -> HttpResponse:
    found = access_sign(request.user, request.casino, sign)
    rule = f" (clause {found.clause})" if found.clause else ""
    then = "begins from the start" if found.removal_restarts_the_clock else "goes on from there"
    act = Act(
        title=f"{found.table}: the sign was taken down",
        consequences=(f"Its clock stops now and {then} when it is up again{rule}.",),
        submit="It is down",
        back=_table_page(found),
        back_label=found.table.name,
        done=f"{found.table}: the sign is down, and its clock has stopped.",
        is_danger=True,
    )
    return act_page(
        request, act, forms.Form(posted(request)),
        lambda: take_down_sign(sign=found, actor=request.user, now=timezone.now()),
    )  # fmt: skip


@readers
@require_safe
def paper(request: CasinoRequest, casino: str, sign: int, paper: Paper) -> HttpResponse:
    found = access_sign(request.user, request.casino, sign)
    at = next_whole_minute(found.made_at)
    live = reverse("signs:live", kwargs={"casino": casino, "table": found.table.slug})
    content = sign_pdf(
        place=f"{found.table.name}, {request.casino.name}",
        facts=facts_of(found),
        footnote=f"Announced by {found.made_by_name}, {moment_text(at, request.casino)}",
        address=site_of(request) + live,
        paper=paper,
    )
    return pdf_response(content, f"{found.name}-{paper}.pdf", timezone.now(), place=SIGNED_AT[paper])


@those_who_set_up
@never_cache
@asks_first
def add(request: CasinoRequest, casino: str, table: str) -> HttpResponse:
    """The link is shown once, on the page that answers."""
    found = access_table(request.user, request.casino, table)
    form = DisplayForm(posted(request))
    back = address_of("table", request.casino, table=found.slug)
    if request.method == "POST" and form.is_valid():
        new = add_display(table=found, name=form.cleaned_data["name"], actor=request.user, now=timezone.now())
        link = site_of(request) + reverse("signs:display", kwargs={"token": new.token})
        context = {"casino": request.casino, "floor_table": found, "display": new.display, "link": link, "back": back}
        return render(request, "signs/new-display.html", context)
    act = Act(
        title=f"Set up a display for {found}",
        consequences=(
            "You get a link of its own. Open it on the screen at the table, full-screen; nobody signs in there.",
            "The screen shows the table's signs and reports every few seconds that it does.",
            "The link is shown once. Whoever has it could report a sign that is not there, so keep it to the screen.",
        ),
        submit="Set up",
        back=back,
        back_label=found.name,
    )
    return render(request, "accounts/act.html", {"act": act, "form": form})


@those_who_set_up
@never_cache
@asks_first
def end(request: CasinoRequest, casino: str, display: int) -> HttpResponse:
    found = access_display(request.user, request.casino, display)
    act = Act(
        title=f"End the display {found}",
        consequences=(
            "Its link stops working at once. A sign that only this display shows counts as lost.",
            "What it showed until now stays on record.",
        ),
        submit="End display",
        back=address_of("table", request.casino, table=found.table.slug),
        back_label=found.table.name,
        done=f"{found} is ended.",
        is_danger=True,
    )
    return act_page(
        request, act, forms.Form(posted(request)),
        lambda: end_display(display=found, actor=request.user, now=timezone.now()),
    )  # fmt: skip
