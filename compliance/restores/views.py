"""How each log stands after a restore, and the two acts there are: handing in a checkpoint, saying what was lost."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.requests import PersonRequest
from compliance.accounts.views.acts import asks_first
from compliance.accounts.views.steps import Act, act_page, posted
from compliance.restores.forms import BeginForm, HandInForm
from compliance.restores.models import EpochBegun
from compliance.restores.selectors import MAY_SEE, RestoredLog, access_log, logs_seen_by, may_begin
from compliance.restores.services import begin_epoch
from compliance.restores.services import hand_in as take_checkpoint
from compliance.restores.standing import LogStanding, missing_lines, standing_of
from compliance.web.access import held_by
from compliance.web.components import Column, Table, Tag
from compliance.web.templatetags.kit import local
from rounds.ledger.halting import REASONS
from rounds.ledger.read_only import halt_of

seers = held_by(*MAY_SEE)
LINE_BREAK = SafeString("<br>")


def address_of(name: str, log: RestoredLog) -> str:
    return reverse(f"restores:{name}", kwargs={"log": log.slug})


@seers
@never_cache
@require_safe
def logs(request: PersonRequest) -> HttpResponse:
    table = Table(
        caption="Logs",
        columns=(
            Column("Log", lambda row: str(row.log), is_row_heading=True, link=lambda row: address_of("log", row.log)),
            Column("State", lambda row: _tag(row)),
            Column("Entries", lambda row: f"{row.size:,}", is_figure=True),
            Column("Read-only since", lambda row: local(row.halt.halted_at, row.log.casino) if row.halt else ""),
            Column("Why", lambda row: REASONS[row.reason] if row.halt else ""),
        ),
        rows=[standing_of(log) for log in logs_seen_by(request.user)],
        page_size=200,
        empty="There are no logs yet.",
    )
    return render(request, "restores/logs.html", {"table": table})


def _tag(standing: LogStanding) -> Tag:
    return Tag("Read-only", "danger") if standing.halt else Tag("Recording", "success")


@seers
@never_cache
@require_safe
def log(request: PersonRequest, log: str) -> HttpResponse:
    found = access_log(request.user, log)
    standing = standing_of(found)
    context = {
        "log": found,
        "standing": standing,
        "tag": _tag(standing),
        "may_begin": standing.halt is not None and may_begin(request.user, found),
        "missing": _missing(request, found),
        "epochs": _epochs(request, found),
    }
    return render(request, "restores/log.html", context)


def _missing(request: PersonRequest, log: RestoredLog) -> Table:
    return Table(
        caption="Lines that controllers gave a number and the log does not have",
        columns=(
            Column("Table", "table", is_row_heading=True),
            Column("Controller", "controller"),
            Column("Last number here", lambda row: f"{row.last_here:,}", is_figure=True),
            Column("Last number given out", lambda row: f"{row.announced:,}" if row.announced else "", is_figure=True),
            Column("Missing numbers", "numbers"),
            Column("Last heard", lambda row: local(row.heard_at, log.casino)),
        ),
        rows=missing_lines(log),
        query=request.GET,
        empty="None, as far as controllers have said. Each says so again with its next heart-beat.",
        name="missing",
    )


def _epochs(request: PersonRequest, log: RestoredLog) -> Table:
    return Table(
        caption="Epochs, the newest first",
        columns=(
            Column("Epoch", lambda row: f"Epoch {row.number}, from entry {row.entry_index:,} on", is_row_heading=True),
            Column("Begun", lambda row: format_html("{} by {}", local(row.at, log.casino), row.by_name)),
            Column("What was said", _said),
            Column(
                "Entries known outside", lambda row: "" if row.outside_size is None else f"{row.outside_size:,}",
                is_figure=True,
            ),
            Column("Signs as", lambda row: format_html('<code class="broken">{}</code>', row.origin)),
        ),
        rows=EpochBegun.objects.filter(log=log.slug).order_by("-number"),
        query=request.GET,
        is_caption_hidden=True,
        empty="This log is in its first epoch: nothing was ever lost.",
        name="epochs",
    )  # fmt: skip


def _said(begun: EpochBegun) -> SafeString:
    """In one wide column: each may be a page long, and the list must fit a tablet."""
    said = (("What was lost", begun.lost), ("Why it was restored", begun.why), ("What shows it", begun.evidence))
    parts = ((label, words) for label, words in said if words)
    return format_html('<span class="wide">{}</span>', format_html_join(LINE_BREAK, "<strong>{}:</strong> {}", parts))


@seers
@never_cache
@asks_first
def hand_in(request: PersonRequest, log: str) -> HttpResponse:
    found = access_log(request.user, log)
    form = HandInForm(posted(request), request.FILES or None)
    act = Act(
        f"Hand in a checkpoint of {found}",
        ("It is compared with the log as it is here, and kept beside the ledger’s key if it is the newest.",
         "If the log is shorter, or does not begin with what was signed, it takes nothing more until somebody has said "
         "what was lost."),
        submit="Compare", back=address_of("log", found), back_label=str(found),
    )  # fmt: skip

    def compare() -> None:
        known = take_checkpoint(log=found, checkpoint=form.cleaned_data["checkpoint"], now=timezone.now())
        words = f"The checkpoint of {known.head.size:,} entries was compared."
        if halt_of(found.slug) is None:
            messages.success(request, f"{words} The log begins with what it signed: nothing is missing.")
        else:
            messages.warning(request, f"{words} The log is read-only.")

    return act_page(request, act, form, compare)


@seers
@never_cache
@asks_first
def begin(request: PersonRequest, log: str) -> HttpResponse:
    found = access_log(request.user, log)
    standing = standing_of(found)
    if standing.halt is None or not may_begin(request.user, found):
        return redirect(address_of("log", found))
    form = BeginForm(posted(request), request=request)
    act = Act(
        f"Say what was lost of {found}",
        (_known_words(standing),
         "What you say here is an entry of the log, with your name, for ever. The log takes records again from then.",
         "It signs under a new name: whoever runs a witness or checks bundles must be given its key once more."),
        submit="Record it, and go on", back=address_of("log", found), back_label=str(found),
        done=f"It is recorded, and {found} takes records again.", is_danger=True,
    )  # fmt: skip
    return act_page(
        request, act, form,
        lambda: begin_epoch(
            log=found, lost=form.cleaned_data["lost"], why=form.cleaned_data["why"],
            evidence=form.cleaned_data["evidence"], actor=request.user, now=timezone.now(),
        ),
    )  # fmt: skip


def _known_words(standing: LogStanding) -> str:
    here = f"The log has {standing.size:,} entries here."
    if standing.missing:
        first, last = standing.missing
        return f"{here} Entries {first:,} to {last:,} were signed and are missing."
    return f"{here} {standing.words}"
