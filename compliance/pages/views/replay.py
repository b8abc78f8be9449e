"""A round replayed step by step. Each step has a URL, so no JavaScript is needed."""

from django.views.decorators.http import require_safe

from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.errors import NotFound
from compliance.core.web.templatetags.ui import dice, money
from compliance.core.web.ui.components import Column, DataTable, SummaryList, SummaryRow, Tag
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.core.web.ui.record_notes import record_notes
from compliance.pages.timeline.event_labels import access_round
from compliance.pages.timeline.replay_steps import ReplayStep, build_steps
from compliance.pages.views.common import format_clock_time, readers_only, requested_index


@readers_only
@require_safe
def replay(request: CasinoRequest, casino: str, index: int) -> ListResponse:
    read = access_round(request.user, request.casino, index)
    steps = build_steps(read)
    if not steps or read.played is None:
        raise NotFound
    number = min(max(requested_index(request, "step") or 1, 1), len(steps))
    now = steps[number - 1]
    faces = dice(read.faces) if read.faces and now.is_uncovered else "Not to be seen yet"
    context = {
        "read": read,
        "notes": record_notes(request, [index], void=read.void_label),
        "played": read.played,
        "number": number,
        "last": len(steps),
        "step": now,
        "at": format_clock_time(now.happened.at, request.casino),
        "summary": SummaryList(
            [
                SummaryRow("After the beginning", f"{now.seconds:.1f} s"),
                SummaryRow("Wagers on the layout", f"{now.wagers:,}"),
                SummaryRow("Staked", money(now.staked_cents)),
                SummaryRow("Cards" if read.played.cards else "Dice", faces),
            ]
        ),
        "table": _steps_so_far_table(steps, number),
        "round_href": casino_url("desk:round", request.casino, index=index),
    }
    return list_response(request, "pages/replay.html", context)


def _steps_so_far_table(steps: list[ReplayStep], number: int) -> DataTable:
    """Steps up to now, newest first, so that the current one is visible without scrolling."""
    return DataTable(
        caption="What happened so far, newest first",
        columns=(
            Column("Step", "number", is_row_heading=True, link=lambda step: f"?step={step.number}"),
            Column("After the beginning", lambda step: f"{step.seconds:.1f} s", is_figure=True),
            Column("What", "happened.words"),
            Column("State", lambda step: Tag("Now", "info") if step.number == number else Tag("Before", "neutral")),
        ),
        rows=steps[:number][::-1],
        name="so-far",
    )
