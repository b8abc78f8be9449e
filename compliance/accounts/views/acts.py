"""Administrators: what can be done to a person. Each is a page that says what follows and is signed off."""

from django import forms
from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from compliance.accounts.forms import DisableForm, GiveRoleForm
from compliance.accounts.models import User
from compliance.accounts.requests import CasinoRequest
from compliance.accounts.roles import Role
from compliance.accounts.selectors import access_person, access_role
from compliance.accounts.services import (
    disable_person,
    enable_person,
    end_role,
    give_role,
    reset_second_factor,
    unlock_sign_in,
)
from compliance.accounts.sign_off import SignOffForm
from compliance.accounts.views.people import address_of, administrators
from compliance.accounts.views.steps import Act, act_page, posted

asks_first = require_http_methods(["GET", "HEAD", "POST"])


def act_on(
    request: CasinoRequest,
    subject: User,
    title: str,
    *consequences: str,
    submit: str,
    done: str,
    is_danger: bool = False,
) -> Act:
    back = address_of("person", request.casino, person=subject.pk)
    return Act(title, consequences, submit, back, subject.name, done, is_danger)


@administrators
@never_cache
@asks_first
def give(request: CasinoRequest, casino: str, person: int) -> HttpResponse:
    subject = access_person(request.user, request.casino, person)
    held = {role.role for role in subject.roles_here}  # type: ignore[attr-defined]
    form = GiveRoleForm(posted(request), request=request, subject=subject, held=held)
    act = act_on(
        request, subject, f"Give {subject} a role at {request.casino}",
        f"{subject} can do what the role allows from now on, and is told by e-mail.",
        submit="Give role", done=f"{subject} has the new role.",
    )  # fmt: skip
    return act_page(
        request, act, form,
        lambda: give_role(
            subject=subject, casino=request.casino, role=form.cleaned_data["role"],
            actor=request.user, now=timezone.now(),
        ),
    )  # fmt: skip


@administrators
@never_cache
@asks_first
def end(request: CasinoRequest, casino: str, person: int, role: int) -> HttpResponse:
    subject = access_person(request.user, request.casino, person)
    held = access_role(request.user, request.casino, subject, role)
    act = act_on(
        request, subject, f"End the role {held.get_role_display()} of {subject}",
        f"{subject} can no longer act as {held.get_role_display().lower()} at {request.casino}, from now on.",
        "What they did so far keeps their name, and the role stays in the record.",
        submit="End role", done=f"{subject} no longer has the role {held.get_role_display()}.", is_danger=True,
    )  # fmt: skip
    is_farewell = subject == request.user and held.role == Role.ADMINISTRATOR
    return act_page(
        request, act, SignOffForm(posted(request), request=request),
        lambda: end_role(held=held, actor=request.user, now=timezone.now()),
        then="/" if is_farewell else "",
    )  # fmt: skip


@administrators
@never_cache
@asks_first
def disable(request: CasinoRequest, casino: str, person: int) -> HttpResponse:
    subject = access_person(request.user, request.casino, person)
    form = DisableForm(posted(request), request=request)
    act = act_on(
        request, subject, f"Disable the account of {subject}",
        f"{subject} is signed out everywhere at once and cannot sign in until the account is enabled again.",
        "Their roles and what they did stay in the record.",
        submit="Disable account", done=f"The account of {subject} is disabled.", is_danger=True,
    )  # fmt: skip
    return act_page(
        request, act, form,
        lambda: disable_person(
            subject=subject, casino=request.casino, reason=form.cleaned_data["reason"],
            actor=request.user, now=timezone.now(),
        ),
    )  # fmt: skip


@administrators
@never_cache
@asks_first
def enable(request: CasinoRequest, casino: str, person: int) -> HttpResponse:
    subject = access_person(request.user, request.casino, person)
    act = act_on(
        request, subject, f"Enable the account of {subject}",
        f"{subject} can sign in again, with the roles they held.",
        submit="Enable account", done=f"The account of {subject} is enabled.",
    )  # fmt: skip
    return act_page(
        request, act, SignOffForm(posted(request), request=request),
        lambda: enable_person(subject=subject, casino=request.casino, actor=request.user, now=timezone.now()),
    )  # fmt: skip


@administrators
@never_cache
@asks_first
def reset_factor(request: CasinoRequest, casino: str, person: int) -> HttpResponse:
    subject = access_person(request.user, request.casino, person)
    act = act_on(
        request, subject, f"Reset the second factor of {subject}",
        "Make sure that it is really they who ask: whoever has their password can set up the next one.",
        f"{subject} is signed out everywhere. The old app and recovery codes stop working.",
        submit="Reset second factor", done=f"{subject} sets up a new one at the next sign-in.", is_danger=True,
    )  # fmt: skip
    return act_page(
        request, act, SignOffForm(posted(request), request=request),
        lambda: reset_second_factor(subject=subject, casino=request.casino, actor=request.user, now=timezone.now()),
    )  # fmt: skip


@administrators
@never_cache
@asks_first
def unlock(request: CasinoRequest, casino: str, person: int) -> HttpResponse:
    subject = access_person(request.user, request.casino, person)
    act = act_on(
        request, subject, f"Unlock sign-in for {subject}",
        f"Failed attempts are forgotten, and {subject} can try again at once.",
        submit="Unlock sign-in", done=f"{subject} can sign in again.",
    )  # fmt: skip
    return act_page(
        request, act, forms.Form(posted(request)),
        lambda: unlock_sign_in(subject=subject, casino=request.casino, actor=request.user, now=timezone.now()),
    )  # fmt: skip
