"""What the accounts views share: where to go next, how a session begins, and the page of one act."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from compliance.accounts.identity import client_address
from compliance.accounts.middleware import BEGAN, SEEN
from compliance.accounts.models import User
from compliance.accounts.services import record_sign_in
from compliance.accounts.single_sign_on.providers import find_provider
from compliance.accounts.single_sign_on.required import provider_owed
from compliance.accounts.single_sign_on.waiting import CAME_BY
from compliance.accounts.unsent import forget_unsent, unsent_at
from compliance.web.errors import Refusal

BACKEND = "django.contrib.auth.backends.ModelBackend"


def posted(request: HttpRequest) -> QueryDict | None:
    """What a form is bound to. An empty submission is still one, and is told what it lacks.

    A page that is opened shows what its person sent when their session had ended: it must be sent again."""
    if request.method != "POST":
        return unsent_at(request)
    forget_unsent(request)
    return request.POST


def safe_next(request: HttpRequest) -> str:
    """Where the person was going, if it is one of our own pages; the home page otherwise."""
    wanted = request.GET.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, request.is_secure())
    return wanted if is_ours else reverse("desk:home")


def with_next(name: str, request: HttpRequest, then: str = "") -> str:
    wanted = then or safe_next(request)
    return reverse(name) + ("" if wanted == reverse("desk:home") else "?" + urlencode({"next": wanted}))


def site_of(request: HttpRequest) -> str:
    return f"{request.scheme}://{request.get_host()}"


def begin_session(request: HttpRequest, person: User, now: datetime) -> HttpResponse:
    """The password was right. On to the second factor, or in."""
    open_session(request, person, now)
    return go_on(request, person, now, then=safe_next(request))


def open_session(request: HttpRequest, person: User, now: datetime, *, came_by: str = "") -> None:
    """Its key changes even where the same person was here before: it opens more now."""
    login(request, person, backend=BACKEND)
    request.session.cycle_key()
    request.session[BEGAN] = request.session[SEEN] = now.timestamp()
    if came_by:
        request.session[CAME_BY] = came_by


def go_on(request: HttpRequest, person: User, now: datetime, *, then: str) -> HttpResponse:
    if person.has_second_factor:
        return redirect(with_next("accounts:code", request, then))
    if person.needs_second_factor:
        return redirect(with_next("accounts:enrol", request, then))
    return let_in(request, person, now, then=then)


def let_in(request: HttpRequest, person: User, now: datetime, *, then: str) -> HttpResponse:
    note_sign_in(request, person, now)
    return redirect(then)


def note_sign_in(request: HttpRequest, person: User, now: datetime, *, detail: str = "") -> None:
    """Once it is complete: whoever still owes their organisation's word has not come in."""
    if provider_owed(request, person) is None:
        provider = find_provider(request.session.get(CAME_BY, ""))
        words = " ".join(filter(None, [f"by {provider}" if provider else "", detail]))
        record_sign_in(actor=person, address=client_address(request), now=now, detail=words)


@dataclass(frozen=True)
class Act:
    """A page that asks before it does one thing: what it is, what it brings about, the button, the way back.

    `done` says that it was done, unless doing it says more itself."""

    title: str
    consequences: Sequence[str]
    submit: str
    back: str
    back_label: str
    done: str = ""
    is_danger: bool = False


def act_page(
    request: HttpRequest, act: Act, form: forms.Form, do: Callable[[], Any], *, then: str = ""
) -> HttpResponse:
    """Show the page; on a good submission do it, say so and go back. A refusal keeps what was typed."""
    if request.method == "POST" and form.is_valid():
        try:
            do()
        except Refusal as refusal:
            form.add_error(None, refusal.words)
        else:
            if act.done:
                messages.success(request, act.done)
            return redirect(then or act.back)
    return render(request, "accounts/act.html", {"act": act, "form": form})
