"""Who watches a casino's log from outside, and how they stand towards it."""

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.models import Casino
from compliance.accounts.requests import CasinoRequest, PersonRequest
from compliance.accounts.views.acts import asks_first
from compliance.accounts.views.choosing import choose_casino
from compliance.accounts.views.steps import Act, act_page, posted
from compliance.web.access import held_by
from compliance.web.components import Column, Table
from compliance.web.templatetags.kit import local
from compliance.witnesses.forms import EndForm, RegisterForm
from compliance.witnesses.models import Dissent, Witness
from compliance.witnesses.selectors import (
    MAY_REGISTER,
    MAY_SEE,
    access_dissent,
    access_witness,
    dissents_of,
    witnesses_of,
)
from compliance.witnesses.services import end_witness, register_witness
from compliance.witnesses.standing import Standing, Stands, standing_of
from rounds.ledger.checkpoints import NoLedgerKey, verifier

seers = held_by(*MAY_SEE)
registrars = held_by(*MAY_REGISTER)


def address_of(name: str, casino: Casino, **kwargs: object) -> str:
    return reverse(f"witnesses:{name}", kwargs={"casino": casino.slug, **kwargs})


@seers
@require_safe
def casinos(request: PersonRequest) -> HttpResponse:
    return choose_casino(
        request, MAY_SEE, lambda casino: address_of("witnesses", casino),
        title="Witnesses", caption="Casinos whose log is watched from outside",
    )  # fmt: skip


@seers
@never_cache
@require_safe
def witnesses(request: CasinoRequest, casino: str) -> HttpResponse:
    may_register = request.user.holds(*MAY_REGISTER, casino=request.casino)
    now = timezone.now()
    standings = [standing_of(one, now) for one in witnesses_of(request.casino)]
    context = {
        "casino": request.casino,
        "may_register": may_register,
        "disagreeing": [
            _disagrees(one.dissent) for one in standings if one.state is Standing.DISAGREES and one.dissent
        ],
        "behind": [_behind(one.witness) for one in standings if one.state is Standing.BEHIND],
        "key": _key_of(casino),
        "table": _table(request, standings, may_register=may_register),
        "statements": _statements(request),
    }
    return render(request, "witnesses/witnesses.html", context)


def _key_of(log: str) -> str:
    """Empty where it cannot be read: who watches, and how they stand, is shown all the same."""
    try:
        return str(verifier(log))
    except NoLedgerKey:
        return ""


def _disagrees(dissent: Dissent) -> str:
    return (
        f"{dissent.witness.name} disagrees with this log. {dissent.words} It keeps the checkpoint of "
        f"{dissent.kept_size:,} entries and signs no more. Change nothing: this is evidence."
    )


def _behind(witness: Witness) -> str:
    return f"{witness.name} fell behind. Ask those who run it whether it still runs and reaches this service."


def _table(request: CasinoRequest, standings: list[Stands], *, may_register: bool) -> Table:
    casino = request.casino

    def ending(row: Stands) -> str:
        return "" if row.witness.ended or not may_register else address_of("end", casino, witness=row.witness.pk)

    return Table(
        caption="Witnesses",
        columns=(
            Column("Witness", lambda row: _in_two(row.witness.name), is_row_heading=True),
            Column("State", lambda row: row.tag),
            Column("Change", lambda row: "End" if ending(row) else "", link=ending, is_control=True),
            Column("Cosigned last", lambda row: _cosigned(row, casino)),
            Column("Registered", lambda row: _history(row.witness)),
        ),
        rows=standings,
        query=request.GET,
        empty="Nobody outside watches this log yet.",
        name="witnesses",
    )


def _in_two(name: str) -> str:
    """A long name may go on in the next line after its slash."""
    host, slash, rest = name.rpartition("/")
    return format_html("{}{}<wbr>{}", host, slash, rest)


def _cosigned(row: Stands, casino: Casino) -> str:
    if row.cosigned_at is None:
        return ""
    entries = f"{row.size:,} entr{'y' if row.size == 1 else 'ies'}"
    return format_html("{}, {}", entries, local(row.cosigned_at, casino))


def _history(witness: Witness) -> str:
    """In one column: the page must fit a tablet."""
    ended = f" Ended by {witness.ended.by_name}: {witness.ended.reason}" if witness.ended else ""
    return format_html("{} by {}.{}", local(witness.at, witness.casino), witness.by_name, ended)


def _statements(request: CasinoRequest) -> Table:
    casino = request.casino
    return Table(
        caption="Disagreements, newest first",
        columns=(
            Column(
                "Statement", lambda row: f"Statement {row.pk}", is_row_heading=True,
                link=lambda row: address_of("statement", casino, dissent=row.pk),
            ),
            Column("Witness", lambda row: row.witness.name),
            Column("Refused", lambda row: local(row.stated_at, casino)),
            Column("Why", "words"),
            Column("Entries it keeps", lambda row: f"{row.kept_size:,}", is_figure=True),
            Column("Entries it refused", lambda row: f"{row.offered_size:,}", is_figure=True),
        ),
        rows=dissents_of(casino),
        query=request.GET,
        empty="No witness ever disagreed.",
        name="statements",
    )  # fmt: skip


@seers
@require_safe
def statement(request: CasinoRequest, casino: str, dissent: int) -> HttpResponse:
    """As the witness signed it, with both checkpoints inside: evidence by itself."""
    found = access_dissent(request.user, request.casino, dissent)
    name = f"{request.casino.slug}-disagreement-{found.pk}.txt"
    return HttpResponse(
        found.statement,
        content_type="text/plain; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@registrars
@never_cache
@asks_first
def register(request: CasinoRequest, casino: str) -> HttpResponse:
    form = RegisterForm(posted(request), request=request)
    act = Act(
        f"Register a witness of {request.casino}",
        ("Its cosignatures are kept and served with the checkpoints of this log.",
         "If it falls behind or disagrees, inspectors and compliance officers are told.",
         "Take the key from whoever runs the witness, never from the casino."),
        submit="Register witness", back=address_of("witnesses", request.casino), back_label="Witnesses",
        done="The witness is registered.",
    )  # fmt: skip
    return act_page(
        request, act, form,
        lambda: register_witness(
            casino=request.casino, key=form.cleaned_data["key"], actor=request.user, now=timezone.now()
        ),
    )  # fmt: skip


@registrars
@never_cache
@asks_first
def end(request: CasinoRequest, casino: str, witness: int) -> HttpResponse:
    found = access_witness(request.user, request.casino, witness)
    form = EndForm(posted(request), request=request)
    act = Act(
        f"End the witness {found.name}",
        ("Nothing that it posts is taken any more, and nobody is told when it is silent.",
         "What it said stays. This cannot be undone; a witness that begins anew has a new key and name."),
        submit="End witness", back=address_of("witnesses", request.casino), back_label="Witnesses",
        done=f"The word of {found.name} no longer counts.", is_danger=True,
    )  # fmt: skip
    return act_page(
        request, act, form,
        lambda: end_witness(
            witness=found, reason=form.cleaned_data["reason"], actor=request.user, now=timezone.now()
        ),
    )  # fmt: skip
