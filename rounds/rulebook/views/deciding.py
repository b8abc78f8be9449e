"""Approving, withdrawing and ruling. Each says what follows, and is signed off in the same submission."""

from zoneinfo import ZoneInfo

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache

from compliance.accounts.requests import CasinoRequest
from compliance.accounts.roles import Role
from compliance.accounts.views.acts import asks_first
from compliance.accounts.views.steps import Act, act_page, posted
from compliance.web.access import held_by
from compliance.web.errors import Refusal
from rounds.rulebook import tables
from rounds.rulebook.errors import NotRulable, NotWaiting, OwnProposal
from rounds.rulebook.forms import ApproveForm, RulingForm, WithdrawForm
from rounds.rulebook.gate import rows_to_confirm
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.selectors import MAY_APPROVE, MAY_PROPOSE, access_version, pack_of, version_before
from rounds.rulebook.services import approve_version, expected_effective_at, rule_on_reading, withdraw_version
from rounds.rulebook.states import State

approvers = held_by(*MAY_APPROVE)
withdrawers = held_by(*MAY_PROPOSE)
inspectors = held_by(Role.INSPECTOR)


def zone_of(version: RuleVersion) -> ZoneInfo:
    """The zone in which its document is dated; the casino's where it names none."""
    return ZoneInfo(version.time_zone or pack_of(version).time_zone or version.casino.time_zone)


@approvers
@never_cache
@asks_first
def approve(request: CasinoRequest, casino: str, rules: str, number: int) -> HttpResponse:
    version = access_version(request.user, request.casino, rules, number)
    if not version.may_become(State.APPROVED, timezone.now()):
        raise NotWaiting
    if version.proposed_by == request.user:
        raise OwnProposal
    pack, zone = pack_of(version), zone_of(version)
    outside = rows_to_confirm(pack, version.readings)
    form = ApproveForm(
        posted(request), request=request, zone=zone, expected_at=expected_effective_at(version), has_edges=bool(outside)
    )
    if request.method == "POST" and form.is_valid():
        typed = form.cleaned_data
        try:
            approve_version(
                version=version, effective_at=typed["effective_at"], time_zone=zone.key, evidence=typed["evidence"],
                edge_reason=typed.get("edge_reason", ""), actor=request.user, now=timezone.now(),
            )  # fmt: skip
        except Refusal as refusal:
            form.add_error(None, refusal.words)
        else:
            messages.success(request, f"Approved, reference {version.reference}.")
            return redirect(version)
    context = {
        "version": version,
        "pack": pack,
        "before": version_before(version),
        "form": form,
        "edges": tables.edges_table(version, outside, caption="House edges that must be confirmed", name="outside"),
        "has_edges": bool(outside),
    }
    return render(request, "rulebook/approve.html", context)


@withdrawers
@never_cache
@asks_first
def withdraw(request: CasinoRequest, casino: str, rules: str, number: int) -> HttpResponse:
    version = access_version(request.user, request.casino, rules, number)
    form = WithdrawForm(posted(request), request=request)
    act = Act(
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
    return act_page(
        request, act, form,
        lambda: withdraw_version(
            version=version, reason=form.cleaned_data["reason"], actor=request.user, now=timezone.now()
        ),
    )  # fmt: skip


@inspectors
@never_cache
@asks_first
def ruling(request: CasinoRequest, casino: str, rules: str, number: int) -> HttpResponse:
    version = access_version(request.user, request.casino, rules, number)
    if version.state(timezone.now()) not in (State.APPROVED, State.IN_FORCE):
        raise NotRulable
    form = RulingForm(posted(request), request=request, version=version, pack=pack_of(version), zone=zone_of(version))
    act = Act(
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

    def do() -> None:
        reading, _, choice = form.cleaned_data["reading"].partition("=")
        rule_on_reading(
            version=version, reading=reading, choice=choice, reasons=form.cleaned_data["reasons"],
            wanted_at=form.cleaned_data["wanted_at"], actor=request.user, now=timezone.now(),
        )  # fmt: skip

    return act_page(request, act, form, do)
