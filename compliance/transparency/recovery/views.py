"""State of each log after a restore, with two actions: submit a checkpoint, and begin an epoch."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from compliance.core.accounts.request_types import PersonRequest
from compliance.core.web.access import require_roles
from compliance.core.web.templatetags.ui import LINE_BREAK, local
from compliance.core.web.ui.cell_values import Lines, Phrase
from compliance.core.web.ui.components import Column, DataTable, Tag
from compliance.core.web.ui.confirm_page import ConfirmPage, allow_get_post, bound_data, confirm_page
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.transparency.recovery.forms import BeginEpochForm, CheckpointForm
from compliance.transparency.recovery.log_state import LogState, load_log_state, missing_lines
from compliance.transparency.recovery.models import EpochBegun
from compliance.transparency.recovery.selectors import (
    MAY_SEE,
    RestoredLog,
    access_halted_log,
    logs_visible_to,
    may_begin_epoch,
)
from compliance.transparency.recovery.services import begin_epoch
from compliance.transparency.recovery.services import submit_checkpoint as take_checkpoint
from rounds.ledger import maintenance, read_only

viewers_only = require_roles(*MAY_SEE)


@viewers_only
@require_safe
def log_list(request: PersonRequest) -> HttpResponse:
    table = DataTable(
        caption="Logs",
        columns=(
            Column("Log", lambda row: str(row.log), is_row_heading=True, link=lambda row: row.log.get_absolute_url()),
            Column("State", lambda row: _state_tag(row)),
            Column("Entries", lambda row: f"{row.size:,}", is_figure=True),
            Column("Read-only since", lambda row: local(row.halt.halted_at, row.log.casino) if row.halt else ""),
            Column("Why", lambda row: maintenance.HALT_REASONS[row.reason] if row.halt else ""),
        ),
        rows=[load_log_state(log) for log in logs_visible_to(request.user)],
        page_size=200,
        empty="There are no logs yet.",
    )
    return render(request, "recovery/logs.html", {"table": table})


def _state_tag(state: LogState) -> Tag:
    return Tag("Read-only", "danger") if state.halt else Tag("Recording", "success")


@viewers_only
@require_safe
def log_detail(request: PersonRequest, log: str) -> ListResponse:
    restored = access_halted_log(request.user, log)
    state = load_log_state(restored)
    context = {
        "log": restored,
        "standing": state,
        "tag": _state_tag(state),
        "may_begin": state.halt is not None and may_begin_epoch(request.user, restored),
        "missing": _missing_lines_table(restored),
        "epochs": _epochs_table(restored),
    }
    return list_response(request, "recovery/log.html", context, lists=("missing", "epochs"))


def _missing_lines_table(log: RestoredLog) -> DataTable:
    return DataTable(
        caption="Lines that controllers gave a number and the log does not have",
        columns=(
            Column("Table", "table", is_row_heading=True),
            Column("Controller", "controller"),
            Column("Last number here", lambda row: f"{row.last_here:,}", is_figure=True),
            Column("Last number given out", lambda row: f"{row.announced:,}" if row.announced else "", is_figure=True),
            Column("Missing numbers", "numbers"),
            Column("Last heard", "heard_at"),
        ),
        rows=missing_lines(log),
        empty="None, as far as controllers have said. Each says so again with its next heart-beat.",
        name="missing",
        place=log.casino,
    )


def _epochs_table(log: RestoredLog) -> DataTable:
    return DataTable(
        caption="Epochs, the newest first",
        columns=(
            Column("Epoch", lambda row: f"Epoch {row.number}, from entry {row.entry_index:,} on", is_row_heading=True),
            Column("Begun", lambda row: Phrase("{} by {}", row.at, row.by_name)),
            Column("What was said", _epoch_statement, display=_epoch_statement_html),
            Column(
                "Entries known outside",
                lambda row: "" if row.outside_size is None else f"{row.outside_size:,}",
                is_figure=True,
            ),
            Column("Signs as", "origin", display=lambda row: format_html('<code class="broken">{}</code>', row.origin)),
        ),
        rows=EpochBegun.objects.filter(log=log.slug).order_by("-number"),
        is_caption_hidden=True,
        empty="This log is in its first epoch: nothing was ever lost.",
        name="epochs",
        place=log.casino,
    )


def _epoch_statement_parts(begun: EpochBegun) -> list[tuple[str, str]]:
    texts = (("What was lost", begun.lost), ("Why it was restored", begun.why), ("What shows it", begun.evidence))
    return [(label, words) for label, words in texts if words]


def _epoch_statement(begun: EpochBegun) -> Lines:
    return Lines(*(f"{label}: {words}" for label, words in _epoch_statement_parts(begun)))


def _epoch_statement_html(begun: EpochBegun) -> SafeString:
    """In one wide column: each text may be a page long, and the table must fit a tablet."""
    parts = _epoch_statement_parts(begun)
    return format_html('<span class="wide">{}</span>', format_html_join(LINE_BREAK, "<strong>{}:</strong> {}", parts))


@viewers_only
@allow_get_post
def submit_checkpoint_page(request: PersonRequest, log: str) -> HttpResponse:
    restored = access_halted_log(request.user, log)
    form = CheckpointForm(bound_data(request), request.FILES or None)
    act = ConfirmPage(
        f"Hand in a checkpoint of {restored}",
        (
            "It is compared with the log as it is here, and kept beside the ledger’s key if it is the newest.",
            "If the log is shorter, or does not begin with what was signed, it takes nothing more until somebody has "
            "said "
            "what was lost.",
        ),
        submit="Compare",
        back=restored.get_absolute_url(),
        back_label=str(restored),
    )

    def compare() -> None:
        known = take_checkpoint(log=restored, checkpoint=form.cleaned_data["checkpoint"], now=timezone.now())
        words = f"The checkpoint of {known.head.size:,} entries was compared."
        if read_only.open_halt_of(restored.slug) is None:
            messages.success(request, f"{words} The log begins with what it signed: nothing is missing.")
        else:
            messages.warning(request, f"{words} The log is read-only.")

    # Not pre-checked: it reads and halts the log itself, which a plan cannot do.
    return confirm_page(request, act, form, compare, is_prechecked=False)


@viewers_only
@allow_get_post
def begin_epoch_page(request: PersonRequest, log: str) -> HttpResponse:
    restored = access_halted_log(request.user, log)
    state = load_log_state(restored)
    if state.halt is None or not may_begin_epoch(request.user, restored):
        return redirect(restored)
    form = BeginEpochForm(bound_data(request), request=request)
    act = ConfirmPage(
        f"Say what was lost of {restored}",
        (
            _loss_text(state),
            "What you say here is an entry of the log, with your name, for ever. The log takes records again from "
            "then.",
            "It signs under a new name: whoever runs a witness or checks bundles must be given its key once more.",
        ),
        submit="Record it, and go on",
        back=restored.get_absolute_url(),
        back_label=str(restored),
        done=f"It is recorded, and {restored} takes records again.",
        is_danger=True,
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: begin_epoch(
            log=restored,
            lost=form.cleaned_data["lost"],
            why=form.cleaned_data["why"],
            evidence=form.cleaned_data["evidence"],
            actor=request.user,
            now=timezone.now(),
        ),
        is_prechecked=False,
    )


def _loss_text(state: LogState) -> str:
    here = f"The log has {state.size:,} entries here."
    if state.missing:
        first, last = state.missing
        return f"{here} Entries {first:,} to {last:,} were signed and are missing."
    return f"{here} {state.words}"
