"""Proofs of single wagers: made from a round's page, listed, downloaded as a sheet and as a file."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from compliance.core.accounts.list_registry import FilteredList, ListQuery
from compliance.core.accounts.models import Casino
from compliance.core.accounts.request_types import CasinoRequest, PersonRequest
from compliance.core.accounts.views.casino_picker import choose_casino
from compliance.core.web.access import require_roles
from compliance.core.web.mail.render import site_base_url
from compliance.core.web.pdf.signer import signed_pdf_response
from compliance.core.web.templatetags.ui import local, money
from compliance.core.web.ui.components import Column, DataTable, FilterPanel, SummaryList, SummaryRow
from compliance.core.web.ui.confirm_page import ConfirmPage, allow_get_post, bound_data, confirm_page
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.transparency.wager_proofs.errors import NoSuchWager, ProofNotReady
from compliance.transparency.wager_proofs.forms import ProofFilterForm, WithdrawProofForm
from compliance.transparency.wager_proofs.models import Proof
from compliance.transparency.wager_proofs.proof_file.build import proof_basis_for
from compliance.transparency.wager_proofs.proof_file.pdf import render_proof_pdf
from compliance.transparency.wager_proofs.proof_file.service_statement import statement_now
from compliance.transparency.wager_proofs.proof_file.text import describe_proof
from compliance.transparency.wager_proofs.selectors import access_proof, proofs_of_casino
from compliance.transparency.wager_proofs.services import make_proof, withdraw_proof
from rounds.floor.permissions import MAY_READ
from rounds.intake.round_view import WagerView, access_round

readers_only = require_roles(*MAY_READ)


def check_page_url() -> str:
    return site_base_url() + reverse("proofs:check")


@readers_only
@require_safe
def choose_proofs_casino(request: PersonRequest) -> HttpResponse:
    return choose_casino(
        request,
        MAY_READ,
        lambda casino: casino_url("proofs:proofs", casino),
        title="Proofs for patrons",
        caption="Casinos whose rounds you may read",
    )


PROOFS = FilteredList("proofs:proofs", ProofFilterForm, lambda asked, chosen: proofs_of_casino(asked.casino, chosen))


@readers_only
@require_safe
def proof_list(request: CasinoRequest, casino: str) -> ListResponse:
    form, rows = PROOFS(ListQuery.from_request(request))
    nothing = "No proof was made yet. Open a round, and make one for one of its wagers."
    table = DataTable(
        caption=f"Proofs made at {request.casino}",
        columns=(
            Column("Proof", str, is_row_heading=True, link=lambda row: row.get_absolute_url()),
            Column("Made", "at", sort="at"),
            Column("Round", "round", sort="round", link=_round_link),
            Column("Table", "table", sort="table"),
            Column("Wager", "wager"),
            Column("Made by", "by_name", sort="by_name"),
            Column("State", lambda row: row.tag),
        ),
        rows=rows,
        sort="-at",
        is_caption_hidden=True,
        empty="Nothing fits this search." if any(form.valid_values().values()) else nothing,
    )
    context = {"panel": FilterPanel(form, legend="Search and filter"), "table": table}
    return list_response(request, "wager_proofs/proofs.html", context)


def _round_link(row: Proof) -> str:
    return casino_url("desk:round", row.casino, index=row.round_index)


@readers_only
@allow_get_post
def make_wager_proof(request: CasinoRequest, casino: str, index: int, wager: str) -> HttpResponse:
    """Shows what will be disclosed, then makes the proof. If it cannot be made yet, says why and when."""
    read = access_round(request.user, request.casino, index)
    wager_view = next((each for each in read.wagers if each.wager.id == wager), None)
    if wager_view is None:
        raise NoSuchWager
    try:
        proof_basis_for(casino, index)
        missing = ""
    except ProofNotReady as error:
        missing = error.full_message
    if request.method == "POST" and not missing:
        proof = make_proof(round_view=read, wager=wager, actor=request.user, now=timezone.now())
        messages.success(request, "The proof is made. Print the sheet, or send it to the patron.")
        return redirect(proof)
    context = {
        "casino": request.casino,
        "round": read.played.round if read.played else index,
        "round_href": casino_url("desk:round", casino, index=index),
        "summary": _wager_summary(wager_view, request.casino),
        "void": read.void_text,
        "missing": missing,
        "before": list(proofs_of_casino(request.casino, {}).filter(round_index=index, wager=wager)[:20]),
    }
    return render(request, "wager_proofs/make.html", context, status=409 if request.method == "POST" else 200)


def _wager_summary(row: WagerView, casino: Casino) -> SummaryList:
    returned = "Not yet" if row.returned_cents is None else money(row.returned_cents)
    return SummaryList(
        [
            SummaryRow("Wager", f"{row.wager.id}, {row.holder[:1].lower()}{row.holder[1:]}"),
            SummaryRow("On", row.bet_label),
            SummaryRow("Stake", money(row.stake_cents)),
            SummaryRow("Placed", local(row.wager.placed_at, casino)),
            SummaryRow("At the table", row.verdict),
            SummaryRow("Returned", returned),
        ]
    )


@readers_only
@require_safe
def proof_detail(request: CasinoRequest, casino: str, proof: int) -> HttpResponse:
    stored_proof = access_proof(request.user, request.casino, proof)
    later = statement_now(request.casino, stored_proof.round_index, stored_proof.wager)
    proof_text = describe_proof(bytes(stored_proof.content), later)
    context: dict[str, Any] = {
        "casino": request.casino,
        "proof": stored_proof,
        "told": proof_text,
        "proved": _summary_list(proof_text.proved),
        "stated": _summary_list(proof_text.stated),
        "round_href": _round_link(stored_proof),
        "check_address": check_page_url(),
    }
    return render(request, "wager_proofs/proof.html", context)


def _summary_list(rows: list[tuple[str, str]]) -> SummaryList:
    return SummaryList([SummaryRow(name, value) for name, value in rows])


@readers_only
@require_safe
def download_pdf(request: CasinoRequest, casino: str, proof: int) -> HttpResponse:
    stored_proof = access_proof(request.user, request.casino, proof)
    return signed_pdf_response(
        render_proof_pdf(stored_proof, check_page_url()), f"wager-proof-{stored_proof.pk}.pdf", timezone.now()
    )


@readers_only
@require_safe
def download_file(request: CasinoRequest, casino: str, proof: int) -> HttpResponse:
    stored_proof = access_proof(request.user, request.casino, proof)
    return proof_response(stored_proof)


def proof_response(proof: Proof) -> HttpResponse:
    headers = {"Content-Disposition": 'attachment; filename="wager-proof.json"', "Cache-Control": "no-store"}
    return HttpResponse(bytes(proof.content), content_type="application/json", headers=headers)


@readers_only
@allow_get_post
def withdraw_wager_proof(request: CasinoRequest, casino: str, proof: int) -> HttpResponse:
    stored_proof = access_proof(request.user, request.casino, proof)
    form = WithdrawProofForm(bound_data(request))
    act = ConfirmPage(
        f"Withdraw {str(stored_proof).lower()}",
        (
            "Its code opens nothing any more, for instance because the sheet went to the wrong person.",
            "Whoever has the file can still check it at home: it proves what it proves. This cannot be undone.",
        ),
        submit="Withdraw proof",
        back=stored_proof.get_absolute_url(),
        back_label=str(stored_proof),
        done="The proof is withdrawn.",
        is_danger=True,
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: withdraw_proof(
            proof=stored_proof, reason=form.cleaned_data["reason"], actor=request.user, now=timezone.now()
        ),
    )
