"""The page that asks for the reason before a record is withdrawn. One for all kinds of records."""

from django.http import HttpResponse
from django.utils import timezone

from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.corrections.permissions import MAY_OPEN
from compliance.core.corrections.selectors import withdrawals_of
from compliance.core.corrections.services import access_record, withdraw_record
from compliance.core.web.access import require_roles
from compliance.core.web.errors import NotFound
from compliance.core.web.ui.confirm_page import ConfirmPage, allow_get_post, bound_data, confirm_page
from compliance.core.web.ui.forms import ReasonForm
from rounds.ledger import LogEntry, entry_at
from rounds.ledger.entry_kinds import find_kind


@require_roles(*MAY_OPEN)
@allow_get_post
def withdraw(request: CasinoRequest, casino: str, index: int) -> HttpResponse:
    entry = entry_at(request.casino.slug, index)
    known, record = access_record(request.casino, entry, request.user)
    if entry is None:
        raise NotFound
    kind = find_kind(entry.kind)
    label = kind.label if kind else entry.kind
    form = ReasonForm(bound_data(request))
    act = ConfirmPage(
        title=f"Withdraw: {label[:1].lower()}{label[1:]}",
        consequences=_consequences(request, entry),
        submit="Withdraw",
        back=known.page(record),
        back_label="The record",
        done="The record is withdrawn. If something else happened instead, record that.",
        is_danger=True,
    )
    anew = known.record_anew(record, entry) if known.record_anew else ""
    return confirm_page(
        request,
        act,
        form,
        lambda: withdraw_record(
            casino=request.casino,
            entry=entry,
            reason=form.cleaned_data["reason"],
            actor=request.user,
            now=timezone.now(),
        ),
        redirect_to=anew,
    )


def _consequences(request: CasinoRequest, entry: LogEntry) -> list[str]:
    kind = find_kind(entry.kind)
    summary = kind.summarize(entry.content()) if kind else ""
    before = withdrawals_of(entry.log, [entry.index]).get(entry.index)
    return [
        f"Entry {entry.index:,}: {summary or entry.kind}",
        *([f"It cannot be withdrawn again. {before.sentence(request.casino)}"] if before else []),
        "The record stays readable and is shown as withdrawn, with your name, the time and the reason.",
        "Lists, totals and the audit no longer count it. The audit checks again what depended on it.",
        "The next letter or report mentions the withdrawal.",
    ]
