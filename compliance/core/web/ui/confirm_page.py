"""Page that asks before an action is carried out, and the decorator and form data that such views share."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from compliance.core.web.errors import Refusal
from compliance.core.web.http.unsent_forms import discard_unsent_form, restore_unsent_form
from compliance.core.web.ui.components import DataTable, SummaryList
from compliance.core.web.ui.precheck import carry_out


def bound_data(request: HttpRequest) -> QueryDict | None:
    """Data to bind a form to: the POST data, even if empty, so that its errors are shown. On GET, the form that this
    person submitted after their session had ended, if any: it must be sent again."""
    if request.method != "POST":
        return restore_unsent_form(request)
    discard_unsent_form(request)
    return request.POST


@dataclass(frozen=True)
class ConfirmPage:
    """Text of a page that asks before one action: title, consequences, button, way back. `done` is the success
    message, if the action shows none itself."""

    title: str
    consequences: Sequence[str]
    submit: str
    back: str
    back_label: str
    done: str = ""
    is_danger: bool = False
    # What is being signed.
    facts: SummaryList | None = None
    table: DataTable | None = None


def confirm_page(
    request: HttpRequest,
    act: ConfirmPage,
    form: forms.Form,
    perform: Callable[[], Any],
    *,
    redirect_to: str = "",
    is_prechecked: bool = True,
) -> HttpResponse:
    """Shows the page; on a valid submission runs `perform`, shows `done` and redirects. A Refusal keeps the form's
    input. `perform` runs twice, first to plan, unless `is_prechecked` is False: for acts that no check reads."""
    if request.method == "POST" and form.is_valid():
        try:
            if is_prechecked:
                carry_out(request, form, perform)
            else:
                perform()
        except Refusal as refusal:
            form.add_error(None, refusal.full_message)
        else:
            if act.done:
                messages.success(request, act.done)
            return redirect(redirect_to or act.back)
    return render(request, "components/confirm-page.html", {"act": act, "form": form})


def add_refusal_error(form: forms.Form, refusal: Refusal) -> None:
    """Adds the refusal to its field, or to the form as a whole. The input is kept."""
    field = getattr(refusal, "field", "")
    form.add_error(field if field in form.fields else None, refusal.full_message)


allow_get_post = require_http_methods(["GET", "HEAD", "POST"])
