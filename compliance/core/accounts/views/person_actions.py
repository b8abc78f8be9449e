"""Administrators: actions on a person. Each has a confirm page with reauthentication."""

from django import forms
from django.http import HttpResponse
from django.utils import timezone

from compliance.core.accounts.auth.reauthenticate import ReauthenticateForm
from compliance.core.accounts.forms import DisablePersonForm, GiveRoleForm
from compliance.core.accounts.models import User
from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.accounts.roles import Role
from compliance.core.accounts.selectors import access_person, access_role
from compliance.core.accounts.services import (
    disable_person,
    enable_person,
    end_role,
    give_role,
    reset_second_factor,
    unlock_sign_in,
)
from compliance.core.accounts.views.confirm import confirm_account_page
from compliance.core.accounts.views.people import administrators_only
from compliance.core.web.ui.confirm_page import ConfirmPage, allow_get_post, bound_data
from compliance.core.web.ui.links import casino_url


def person_confirm_page(
    request: CasinoRequest,
    subject: User,
    title: str,
    *consequences: str,
    submit: str,
    done: str,
    is_danger: bool = False,
) -> ConfirmPage:
    back = casino_url("accounts:person", request.casino, person=subject.pk)
    return ConfirmPage(title, consequences, submit, back, subject.name, done, is_danger)


@administrators_only
@allow_get_post
def give_role_page(request: CasinoRequest, casino: str, person: int) -> HttpResponse:
    subject = access_person(request.user, request.casino, person)
    held = {role.role for role in subject.roles_here}  # type: ignore[attr-defined]
    form = GiveRoleForm(bound_data(request), request=request, subject=subject, held=held)
    act = person_confirm_page(
        request,
        subject,
        f"Give {subject} a role at {request.casino}",
        f"{subject} can do what the role allows from now on, and is told by e-mail.",
        submit="Give role",
        done=f"{subject} has the new role.",
    )
    return confirm_account_page(
        request,
        act,
        form,
        lambda: give_role(
            subject=subject,
            casino=request.casino,
            role=form.cleaned_data["role"],
            actor=request.user,
            now=timezone.now(),
        ),
    )


@administrators_only
@allow_get_post
def end_role_page(request: CasinoRequest, casino: str, person: int, role: int) -> HttpResponse:
    subject = access_person(request.user, request.casino, person)
    held = access_role(request.user, request.casino, subject, role)
    act = person_confirm_page(
        request,
        subject,
        f"End the role {held.get_role_display()} of {subject}",
        f"{subject} can no longer act as {held.get_role_display().lower()} at {request.casino}, from now on.",
        "What they did so far keeps their name, and the role stays in the record.",
        submit="End role",
        done=f"{subject} no longer has the role {held.get_role_display()}.",
        is_danger=True,
    )
    is_farewell = subject == request.user and held.role == Role.ADMINISTRATOR
    return confirm_account_page(
        request,
        act,
        ReauthenticateForm(bound_data(request), request=request),
        lambda: end_role(held=held, actor=request.user, now=timezone.now()),
        redirect_to="/" if is_farewell else "",
    )


@administrators_only
@allow_get_post
def disable_person_page(request: CasinoRequest, casino: str, person: int) -> HttpResponse:
    subject = access_person(request.user, request.casino, person)
    form = DisablePersonForm(bound_data(request), request=request)
    act = person_confirm_page(
        request,
        subject,
        f"Disable the account of {subject}",
        f"{subject} is signed out everywhere at once and cannot sign in until the account is enabled again.",
        "Their roles and what they did stay in the record.",
        submit="Disable account",
        done=f"The account of {subject} is disabled.",
        is_danger=True,
    )
    return confirm_account_page(
        request,
        act,
        form,
        lambda: disable_person(
            subject=subject,
            casino=request.casino,
            reason=form.cleaned_data["reason"],
            actor=request.user,
            now=timezone.now(),
        ),
    )


@administrators_only
@allow_get_post
def enable_person_page(request: CasinoRequest, casino: str, person: int) -> HttpResponse:
    subject = access_person(request.user, request.casino, person)
    act = person_confirm_page(
        request,
        subject,
        f"Enable the account of {subject}",
        f"{subject} can sign in again, with the roles they held.",
        submit="Enable account",
        done=f"The account of {subject} is enabled.",
    )
    return confirm_account_page(
        request,
        act,
        ReauthenticateForm(bound_data(request), request=request),
        lambda: enable_person(subject=subject, casino=request.casino, actor=request.user, now=timezone.now()),
    )


@administrators_only
@allow_get_post
def reset_second_factor_page(request: CasinoRequest, casino: str, person: int) -> HttpResponse:
    subject = access_person(request.user, request.casino, person)
    act = person_confirm_page(
        request,
        subject,
        f"Reset the second factor of {subject}",
        "Make sure that it is really they who ask: whoever has their password can set up the next one.",
        f"{subject} is signed out everywhere. The old app and recovery codes stop working.",
        submit="Reset second factor",
        done=f"{subject} sets up a new one at the next sign-in.",
        is_danger=True,
    )
    return confirm_account_page(
        request,
        act,
        ReauthenticateForm(bound_data(request), request=request),
        lambda: reset_second_factor(subject=subject, casino=request.casino, actor=request.user, now=timezone.now()),
    )


@administrators_only
@allow_get_post
def unlock_sign_in_page(request: CasinoRequest, casino: str, person: int) -> HttpResponse:
    subject = access_person(request.user, request.casino, person)
    act = person_confirm_page(
        request,
        subject,
        f"Unlock sign-in for {subject}",
        f"Failed attempts are forgotten, and {subject} can try again at once.",
        submit="Unlock sign-in",
        done=f"{subject} can sign in again.",
    )
    return confirm_account_page(
        request,
        act,
        forms.Form(bound_data(request)),
        lambda: unlock_sign_in(subject=subject, casino=request.casino, actor=request.user, now=timezone.now()),
    )
