"""Proofs of single wagers: made from the page of a round, kept in a list, handed out as a sheet and as a file."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.models import Casino
from compliance.accounts.requests import CasinoRequest, PersonRequest
from compliance.accounts.services.invitations import site_address
from compliance.accounts.views.acts import asks_first
from compliance.accounts.views.choosing import choose_casino
from compliance.accounts.views.steps import Act, act_page, posted
from compliance.proofs.errors import NoSuchWager, NotProvableYet
from compliance.proofs.forms import ProofsFilter, WithdrawForm
from compliance.proofs.models import Proof
from compliance.proofs.printing import sheet_for
from compliance.proofs.proving import ground_of
from compliance.proofs.selectors import access_proof, proofs_of
from compliance.proofs.services import make_proof, withdraw_proof
from compliance.proofs.telling import tell
from compliance.web.access import held_by
from compliance.web.components import Column, FilterPanel, SummaryList, SummaryRow, Table
from compliance.web.signing import pdf_response
from compliance.web.templatetags.kit import local, money
from rounds.floor.standing import MAY_READ
from rounds.intake.played import WagerRead, access_round

readers = held_by(*MAY_READ)


def address_of(name: str, casino: Casino, **parts: object) -> str:
    return reverse(f"proofs:{name}", kwargs={"casino": casino.slug, **parts})


def check_address() -> str:
    return site_address() + reverse("proofs:check")


@readers
@require_safe
def casinos(request: PersonRequest) -> HttpResponse:
    return choose_casino(
        request, MAY_READ, lambda casino: address_of("proofs", casino),
        title="Proofs for patrons", caption="Casinos whose rounds you may read",
    )  # fmt: skip


@readers
@never_cache
@require_safe
def proofs(request: CasinoRequest, casino: str) -> HttpResponse:
    form = ProofsFilter(request.GET)
    chosen = form.chosen()
    nothing = "No proof was made yet. Open a round, and make one for one of its wagers."
    table = Table(
        caption=f"Proofs made at {request.casino}",
        columns=_columns(request.casino),
        rows=proofs_of(request.casino, chosen),
        query=request.GET,
        sort="-at",
        is_caption_hidden=True,
        empty="Nothing fits this search." if any(chosen.values()) else nothing,
    )
    context = {"casino": request.casino, "panel": FilterPanel(form, legend="Search and filter"), "table": table}
    return render(request, "proofs/proofs.html", context)


def _columns(casino: Casino) -> tuple[Column, ...]:
    return (
        Column("Proof", str, is_row_heading=True, link=lambda row: row.get_absolute_url()),
        Column("Made", lambda row: local(row.at, casino), sort="at"),
        Column("Round", "round", sort="round", link=_round_of),
        Column("Table", "table", sort="table"),
        Column("Wager", "wager"),
        Column("Made by", "by_name", sort="by_name"),
        Column("State", lambda row: row.tag),
    )


def _round_of(row: Proof) -> str:
    return reverse("desk:round", kwargs={"casino": row.casino.slug, "index": row.round_index})


@readers
@never_cache
@asks_first
def make(request: CasinoRequest, casino: str, index: int, wager: str) -> HttpResponse:
    """Says what will be given away, then makes it. Where it cannot be made yet, says why and when."""
    read = access_round(request.user, request.casino, index)
    found = next((each for each in read.wagers if each.wager.id == wager), None)
    if found is None:
        raise NoSuchWager
    try:
        ground_of(casino, index)
        missing = ""
    except NotProvableYet as error:
        missing = error.words
    if request.method == "POST" and not missing:
        proof = make_proof(read=read, wager=wager, actor=request.user, now=timezone.now())
        messages.success(request, "The proof is made. Print the sheet, or send it to the patron.")
        return redirect(proof)
    context = {
        "casino": request.casino,
        "round": read.played.round if read.played else index,
        "round_href": reverse("desk:round", kwargs={"casino": casino, "index": index}),
        "summary": _wager(found, request.casino),
        "missing": missing,
        "before": list(proofs_of(request.casino, {}).filter(round_index=index, wager=wager)[:20]),
    }
    return render(request, "proofs/make.html", context, status=409 if request.method == "POST" else 200)


def _wager(row: WagerRead, casino: Casino) -> SummaryList:
    returned = "Not yet" if row.wager.returned is None else money(row.wager.returned)
    return SummaryList([
        SummaryRow("Wager", f"{row.wager.id}, {row.holder[:1].lower()}{row.holder[1:]}"),
        SummaryRow("On", row.bet_words),
        SummaryRow("Stake", money(row.stake_cents)),
        SummaryRow("Placed", local(row.wager.placed_at, casino)),
        SummaryRow("At the table", row.verdict),
        SummaryRow("Returned", returned),
    ])  # fmt: skip


@readers
@never_cache
@require_safe
def proof(request: CasinoRequest, casino: str, proof: int) -> HttpResponse:
    found = access_proof(request.user, request.casino, proof)
    told = tell(bytes(found.content))
    context: dict[str, Any] = {
        "casino": request.casino,
        "proof": found,
        "told": told,
        "proved": _summary(told.proved),
        "stated": _summary(told.stated),
        "round_href": _round_of(found),
        "check_address": check_address(),
    }
    return render(request, "proofs/proof.html", context)


def _summary(rows: list[tuple[str, str]]) -> SummaryList:
    return SummaryList([SummaryRow(name, value) for name, value in rows])


@readers
@never_cache
@require_safe
def sheet(request: CasinoRequest, casino: str, proof: int) -> HttpResponse:
    found = access_proof(request.user, request.casino, proof)
    return pdf_response(sheet_for(found, check_address()), f"wager-proof-{found.pk}.pdf", timezone.now())


@readers
@never_cache
@require_safe
def file(request: CasinoRequest, casino: str, proof: int) -> HttpResponse:
    found = access_proof(request.user, request.casino, proof)
    return proof_response(found)


def proof_response(proof: Proof) -> HttpResponse:
    headers = {"Content-Disposition": 'attachment; filename="wager-proof.json"', "Cache-Control": "no-store"}
    return HttpResponse(bytes(proof.content), content_type="application/json", headers=headers)


@readers
@never_cache
@asks_first
def withdraw(request: CasinoRequest, casino: str, proof: int) -> HttpResponse:
    found = access_proof(request.user, request.casino, proof)
    form = WithdrawForm(posted(request))
    act = Act(
        f"Withdraw {str(found).lower()}",
        ("Its code opens nothing any more, for instance because the sheet went to the wrong person.",
         "Whoever has the file can still check it at home: it proves what it proves. This cannot be undone."),
        submit="Withdraw proof", back=found.get_absolute_url(), back_label=str(found), done="The proof is withdrawn.",
        is_danger=True,
    )  # fmt: skip
    return act_page(
        request, act, form,
        lambda: withdraw_proof(
            proof=found, reason=form.cleaned_data["reason"], actor=request.user, now=timezone.now()
        ),
    )  # fmt: skip
