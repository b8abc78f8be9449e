"""The witnesses of a casino's log and their state."""

from django.http import HttpResponse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from compliance.core.accounts.request_types import CasinoRequest, PersonRequest
from compliance.core.accounts.views.casino_picker import choose_casino
from compliance.core.web.access import require_roles
from compliance.core.web.ui.cell_values import Phrase
from compliance.core.web.ui.components import Column, DataTable
from compliance.core.web.ui.confirm_page import ConfirmPage, allow_get_post, bound_data, confirm_page
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.transparency.witness_registry.forms import EndWitnessForm, RegisterWitnessForm
from compliance.transparency.witness_registry.models import Dissent, Witness
from compliance.transparency.witness_registry.selectors import (
    MAY_REGISTER,
    MAY_SEE,
    access_dissent,
    access_witness,
    dissents_of,
    witnesses_of,
)
from compliance.transparency.witness_registry.services import end_witness, register_witness
from compliance.transparency.witness_registry.witness_status import AgreementState, WitnessStatus, load_witness_status
from rounds.ledger import signing

viewers_only = require_roles(*MAY_SEE)
registrars_only = require_roles(*MAY_REGISTER)


@viewers_only
@require_safe
def choose_witnesses_casino(request: PersonRequest) -> HttpResponse:
    return choose_casino(
        request,
        MAY_SEE,
        lambda casino: casino_url("witnesses:witnesses", casino),
        title="Witnesses",
        caption="Casinos whose log is watched from outside",
    )


@viewers_only
@require_safe
def witness_list(request: CasinoRequest, casino: str) -> ListResponse:
    may_register = request.user.has_role(*MAY_REGISTER, casino=request.casino)
    now = timezone.now()
    statuses = [load_witness_status(one, now) for one in witnesses_of(request.casino)]
    context = {
        "may_register": may_register,
        "disagreeing": [
            _disagreement_text(one.dissent) for one in statuses if one.state is AgreementState.DISAGREES and one.dissent
        ],
        "behind": [_lag_text(one.witness) for one in statuses if one.state is AgreementState.BEHIND],
        "key": _log_key_text(casino),
        "table": _witness_table(request, statuses, may_register=may_register),
        "statements": _statements_table(request),
    }
    return list_response(request, "witness_registry/witnesses.html", context, lists=("table", "statements"))


def _log_key_text(log: str) -> str:
    """Empty if the key cannot be read: the rest of the page is still shown."""
    try:
        return str(signing.verifier_key_for(log))
    except signing.LedgerKeyMissing:
        return ""


def _disagreement_text(dissent: Dissent) -> str:
    return (
        f"{dissent.witness.name} disagrees with this log. {dissent.reason_text} It keeps the checkpoint of "
        f"{dissent.kept_size:,} entries and signs no more. Change nothing: this is evidence."
    )


def _lag_text(witness: Witness) -> str:
    return f"{witness.name} fell behind. Ask those who run it whether it still runs and reaches this service."


def _witness_table(request: CasinoRequest, statuses: list[WitnessStatus], *, may_register: bool) -> DataTable:
    casino = request.casino

    def end_link(row: WitnessStatus) -> str:
        return (
            "" if row.witness.ended or not may_register else casino_url("witnesses:end", casino, witness=row.witness.pk)
        )

    return DataTable(
        caption="Witnesses",
        columns=(
            Column("Witness", "witness.name", is_row_heading=True, display=_breakable_name),
            Column("State", lambda row: row.tag),
            Column("Change", lambda row: "End" if end_link(row) else "", link=end_link, is_control=True),
            Column("Cosigned last", _last_cosignature),
            Column("Registered", _registration_history),
        ),
        rows=statuses,
        empty="Nobody outside watches this log yet.",
        name="witnesses",
    )


def _breakable_name(row: WitnessStatus) -> SafeString:
    """Allows a line break after each slash of a long name."""
    host, slash, rest = row.witness.name.rpartition("/")
    return format_html("{}{}<wbr>{}", host, slash, rest)


def _last_cosignature(row: WitnessStatus) -> Phrase | None:
    if row.cosigned_at is None:
        return None
    return Phrase("{} {}, {}", f"{row.size:,}", "entry" if row.size == 1 else "entries", row.cosigned_at)


def _registration_history(row: WitnessStatus) -> Phrase:
    """In one column, because the page must fit a tablet."""
    witness = row.witness
    ended = f" Ended by {witness.ended.by_name}: {witness.ended.reason}" if witness.ended else ""
    return Phrase("{} by {}.{}", witness.at, witness.by_name, ended)


def _statements_table(request: CasinoRequest) -> DataTable:
    casino = request.casino
    return DataTable(
        caption="Disagreements, newest first",
        columns=(
            Column(
                "Statement",
                lambda row: f"Statement {row.pk}",
                is_row_heading=True,
                link=lambda row: casino_url("witnesses:statement", casino, dissent=row.pk),
            ),
            Column("Witness", lambda row: row.witness.name),
            Column("Refused", "stated_at"),
            Column("Why", "reason_text"),
            Column("Entries it keeps", lambda row: f"{row.kept_size:,}", is_figure=True),
            Column("Entries it refused", lambda row: f"{row.offered_size:,}", is_figure=True),
        ),
        rows=dissents_of(casino),
        empty="No witness ever disagreed.",
        name="statements",
    )


@viewers_only
@require_safe
def download_statement(request: CasinoRequest, casino: str, dissent: int) -> HttpResponse:
    """The statement as signed, with both checkpoints inside: evidence by itself."""
    requested = access_dissent(request.user, request.casino, dissent)
    name = f"{request.casino.slug}-disagreement-{requested.pk}.txt"
    return HttpResponse(
        requested.statement,
        content_type="text/plain; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@registrars_only
@allow_get_post
def register_witness_page(request: CasinoRequest, casino: str) -> HttpResponse:
    form = RegisterWitnessForm(bound_data(request), request=request)
    act = ConfirmPage(
        f"Register a witness of {request.casino}",
        (
            "Its cosignatures are kept and served with the checkpoints of this log.",
            "If it falls behind or disagrees, inspectors and compliance officers are told.",
            "Take the key from whoever runs the witness, never from the casino.",
        ),
        submit="Register witness",
        back=casino_url("witnesses:witnesses", request.casino),
        back_label="Witnesses",
        done="The witness is registered.",
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: register_witness(
            casino=request.casino, key=form.cleaned_data["key"], actor=request.user, now=timezone.now()
        ),
    )


@registrars_only
@allow_get_post
def end_witness_page(request: CasinoRequest, casino: str, witness: int) -> HttpResponse:
    ended_witness = access_witness(request.user, request.casino, witness)
    form = EndWitnessForm(bound_data(request), request=request)
    act = ConfirmPage(
        f"End the witness {ended_witness.name}",
        (
            "Nothing that it posts is taken any more, and nobody is told when it is silent.",
            "What it said stays. This cannot be undone; a witness that begins anew has a new key and name.",
        ),
        submit="End witness",
        back=casino_url("witnesses:witnesses", request.casino),
        back_label="Witnesses",
        done=f"Cosignatures of {ended_witness.name} no longer count.",
        is_danger=True,
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: end_witness(
            witness=ended_witness, reason=form.cleaned_data["reason"], actor=request.user, now=timezone.now()
        ),
    )
