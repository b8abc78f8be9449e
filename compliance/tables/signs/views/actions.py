"""Actions on signs and displays: confirm, take down, print, add a display, end one."""

from django import forms
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.accounts.views.login_session import request_base_url
from compliance.core.web.local_time import format_local
from compliance.core.web.mail.render import site_base_url
from compliance.core.web.pdf.signer import signed_pdf_response
from compliance.core.web.ui.confirm_page import ConfirmPage, allow_get_post, bound_data, confirm_page
from compliance.core.web.ui.links import casino_url
from compliance.tables.signs.forms import DisplayForm, ShownForm
from compliance.tables.signs.models import Sign
from compliance.tables.signs.presentation.pdf import SIGNATURE_POSITIONS, PaperSize, sign_pdf
from compliance.tables.signs.presentation.text import paper_limit_lines, sign_facts
from compliance.tables.signs.selectors import access_display, access_sign
from compliance.tables.signs.services import add_display, confirm_sign, end_display, take_down_sign
from compliance.tables.signs.views.common import display_managers_only, readers_only, supervisors_only
from rounds.floor.selectors import access_table


def _table_url(sign: Sign) -> str:
    return casino_url("signs:table", sign.casino, table=sign.table.slug)


@supervisors_only
@require_POST
def confirm_up_now(request: CasinoRequest, casino: str, sign: int) -> HttpResponse:
    """Confirms with one POST that the sign is up as of now, unless the audit would report it: then the page asks
    first."""
    found, now = access_sign(request.user, request.casino, sign), timezone.now()
    act = ConfirmPage(
        title=f"{found.table}: the sign is up",
        consequences=("The clock counts from now.",),
        submit="Confirm",
        back=_table_url(found),
        back_label=found.table.name,
        done=f"{found.table}: the sign is up.",
    )
    return confirm_page(
        request,
        act,
        forms.Form(request.POST),
        lambda: confirm_sign(sign=found, shown_at=now, actor=request.user, now=now),
    )


@supervisors_only
@allow_get_post
def confirm_up_earlier(request: CasinoRequest, casino: str, sign: int) -> HttpResponse:
    found, now = access_sign(request.user, request.casino, sign), timezone.now()
    form = ShownForm(bound_data(request), zone=request.casino.zone, initial={"shown_at": now})
    act = ConfirmPage(
        title=f"{found.table}: the sign went up earlier",
        consequences=(
            "Say when it really went up. The clock counts from then.",
            "Your name and the time at which you say it are kept beside it.",
        ),
        submit="Confirm",
        back=_table_url(found),
        back_label=found.table.name,
        done=f"{found.table}: the sign is up.",
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: confirm_sign(sign=found, shown_at=form.cleaned_data["shown_at"], actor=request.user, now=now),
    )


@supervisors_only
@allow_get_post
def take_down(request: CasinoRequest, casino: str, sign: int) -> HttpResponse:
    found = access_sign(request.user, request.casino, sign)
    rule = f" (clause {found.clause})" if found.clause else ""
    then = "begins from the start" if found.removal_restarts_the_clock else "goes on from there"
    act = ConfirmPage(
        title=f"{found.table}: the sign was taken down",
        consequences=(f"Its clock stops now and {then} when it is up again{rule}.",),
        submit="It is down",
        back=_table_url(found),
        back_label=found.table.name,
        done=f"{found.table}: the sign is down, and its clock has stopped.",
        is_danger=True,
    )
    return confirm_page(
        request,
        act,
        forms.Form(bound_data(request)),
        lambda: take_down_sign(sign=found, actor=request.user, now=timezone.now()),
    )


@readers_only
@require_safe
def download_pdf(request: CasinoRequest, casino: str, sign: int, paper: PaperSize) -> HttpResponse:
    found = access_sign(request.user, request.casino, sign)
    live, now = casino_url("signs:live", casino, table=found.table.slug), timezone.now()
    content = sign_pdf(
        place=f"{found.table.name}, {request.casino.name}",
        facts=sign_facts(found),
        footnote=f"Announced by {found.made_by_name}, {format_local(found.made_at, request.casino)}",
        address=site_base_url() + live,
        paper=paper,
        small_print=paper_limit_lines(found, now),
    )
    return signed_pdf_response(content, f"{found.name}-{paper}.pdf", now, place=SIGNATURE_POSITIONS[paper])


@display_managers_only
@allow_get_post
def new_display(request: CasinoRequest, casino: str, table: str) -> HttpResponse:
    """The link with the token is shown once, in the response to the form."""
    found = access_table(request.user, request.casino, table)
    form = DisplayForm(bound_data(request))
    back = casino_url("signs:table", request.casino, table=found.slug)
    if request.method == "POST" and form.is_valid():
        new = add_display(table=found, name=form.cleaned_data["name"], actor=request.user, now=timezone.now())
        link = request_base_url(request) + reverse("signs:display", kwargs={"token": new.token})
        context = {"casino": request.casino, "floor_table": found, "display": new.display, "link": link, "back": back}
        return render(request, "signs/new-display.html", context)
    act = ConfirmPage(
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
    return render(request, "components/confirm-page.html", {"act": act, "form": form})


@display_managers_only
@allow_get_post
def retire_display(request: CasinoRequest, casino: str, display: int) -> HttpResponse:
    found = access_display(request.user, request.casino, display)
    act = ConfirmPage(
        title=f"End the display {found}",
        consequences=(
            "Its link stops working at once. A sign that only this display shows counts as lost.",
            "What it showed until now stays on record.",
        ),
        submit="End display",
        back=casino_url("signs:table", request.casino, table=found.table.slug),
        back_label=found.table.name,
        done=f"{found} is ended.",
        is_danger=True,
    )
    return confirm_page(
        request,
        act,
        forms.Form(bound_data(request)),
        lambda: end_display(display=found, actor=request.user, now=timezone.now()),
    )
