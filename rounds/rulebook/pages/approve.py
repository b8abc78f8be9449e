"""Pages that approve, withdraw and rule on a version. Each states the consequences and asks to re-authenticate."""

from zoneinfo import ZoneInfo

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.accounts.roles import Role
from compliance.core.accounts.separation import require_other_person
from compliance.core.web.access import require_roles
from compliance.core.web.errors import Refusal
from compliance.core.web.ui.confirm_page import ConfirmPage, allow_get_post, bound_data, confirm_page
from compliance.core.web.ui.precheck import carry_out
from rounds.rulebook.errors import NotAwaitingApproval, NotRulable
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.pages import tables
from rounds.rulebook.pages.forms import ApproveForm, RulingForm, WithdrawVersionForm
from rounds.rulebook.pages.version import difference_context
from rounds.rulebook.permissions import MAY_APPROVE, MAY_PROPOSE
from rounds.rulebook.selectors import access_version, pack_of
from rounds.rulebook.states import RuleVersionState
from rounds.rulebook.versions.approval_gate import edge_rows_to_confirm
from rounds.rulebook.versions.approve import approve_version, expected_effective_at, withdraw_version
from rounds.rulebook.versions.propose import propose_ruling

approvers_only = require_roles(*MAY_APPROVE)
withdrawers_only = require_roles(*MAY_PROPOSE)
inspectors_only = require_roles(Role.INSPECTOR)


def version_time_zone(version: RuleVersion) -> ZoneInfo:
    """The time zone of the version, of its document, or of the casino, in this order."""
    return ZoneInfo(version.time_zone or pack_of(version).time_zone or version.casino.time_zone)


@approvers_only
@allow_get_post
def approve(request: CasinoRequest, casino: str, rules: str, number: int) -> HttpResponse:
    version = access_version(request.user, request.casino, rules, number)
    if not version.may_become(RuleVersionState.APPROVED, timezone.now()):
        raise NotAwaitingApproval
    require_other_person(request.user, proposed=version.proposed_by_id)
    pack, zone = pack_of(version), version_time_zone(version)
    outside = edge_rows_to_confirm(pack, version.readings)
    form = ApproveForm(
        bound_data(request),
        request=request,
        zone=zone,
        expected_at=expected_effective_at(version),
        has_edges=bool(outside),
        now=timezone.now(),
    )
    if request.method == "POST" and form.is_valid():
        typed = form.cleaned_data
        try:
            carry_out(
                request,
                form,
                lambda: approve_version(
                    version=version,
                    effective_at=typed["effective_at"],
                    time_zone=zone.key,
                    evidence=typed["evidence"],
                    edge_reason=typed.get("edge_reason", ""),
                    actor=request.user,
                    now=timezone.now(),
                ),
            )
        except Refusal as refusal:
            form.add_error(None, refusal.full_message)
        else:
            messages.success(request, f"Approved, reference {version.reference}.")
            return redirect(version)
    context = {
        "version": version,
        "pack": pack,
        **difference_context(version),
        "adopted_edges": tables.adopted_edges_table(version),
        "form": form,
        "edges": tables.edges_table(version, outside, caption="House edges that must be confirmed", name="outside"),
        "has_edges": bool(outside),
        "may_try": request.user.has_role(Role.AUTHORITY_OFFICER, casino=request.casino),
    }
    return render(request, "rulebook/approve.html", context)


@withdrawers_only
@allow_get_post
def withdraw(request: CasinoRequest, casino: str, rules: str, number: int) -> HttpResponse:
    version = access_version(request.user, request.casino, rules, number)
    form = WithdrawVersionForm(bound_data(request), request=request)
    act = ConfirmPage(
        f"Withdraw {version}",
        (
            "The version never takes effect. It stays in the record, with your name and reason.",
            "Once a version has taken effect it cannot be withdrawn.",
        ),
        "Withdraw version",
        version.get_absolute_url(),
        str(version),
        "The version is withdrawn.",
        is_danger=True,
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: withdraw_version(
            version=version, reason=form.cleaned_data["reason"], actor=request.user, now=timezone.now()
        ),
    )


@inspectors_only
@allow_get_post
def make_ruling(request: CasinoRequest, casino: str, rules: str, number: int) -> HttpResponse:
    version = access_version(request.user, request.casino, rules, number)
    if version.state(timezone.now()) not in (RuleVersionState.APPROVED, RuleVersionState.IN_FORCE):
        raise NotRulable
    form = RulingForm(
        bound_data(request), request=request, version=version, pack=pack_of(version), zone=version_time_zone(version)
    )
    act = ConfirmPage(
        f"Rule how a clause of {version} is read",
        (
            "Your ruling becomes a version of its own, which differs in this one reading.",
            "It takes effect once a second person of government has approved it.",
            "If it takes effect before now, rounds already played are judged again by it.",
        ),
        "Sign the ruling",
        version.get_absolute_url(),
        str(version),
        "The ruling is recorded and waits for approval by a second person.",
    )

    def record_ruling() -> None:
        reading, _, choice = form.cleaned_data["reading"].partition("=")
        propose_ruling(
            version=version,
            reading=reading,
            choice=choice,
            reasons=form.cleaned_data["reasons"],
            wanted_at=form.cleaned_data["wanted_at"],
            actor=request.user,
            now=timezone.now(),
        )

    return confirm_page(request, act, form, record_ruling)
