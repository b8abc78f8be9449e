"""Overview page: status of a casino's dice sets, shakers and tables."""

from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from compliance.analysis.fairness.forms import LastTestFilter
from compliance.analysis.fairness.models import SubjectKind
from compliance.analysis.fairness.selectors import (
    examination_totals,
    list_last_tests,
    list_signals,
    subject_statuses,
    unseen_signals,
)
from compliance.analysis.fairness.statistics.significance import LEVEL_PER_YEAR
from compliance.analysis.fairness.views.common import format_percent, format_probability, readers_only
from compliance.core.accounts.models import Casino
from compliance.core.accounts.request_types import CasinoRequest, PersonRequest
from compliance.core.accounts.views.casino_picker import choose_casino
from compliance.core.web.ui.components import Column, DataTable, FilterPanel, Tag
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from rounds.floor.facts.gaming_days import gaming_day
from rounds.floor.permissions import MAY_READ

SIGNALLED_TAG, NO_SIGNAL_TAG = Tag("Signalled", "warning"), Tag("No signal", "success")


@readers_only
@require_safe
def casino_list(request: PersonRequest) -> HttpResponse:
    return choose_casino(
        request,
        MAY_READ,
        lambda casino: casino_url("fairness:standing", casino),
        title="Fairness",
        caption="Casinos and their dice",
    )


@readers_only
@require_safe
def fairness_overview(request: CasinoRequest, casino: str) -> ListResponse:
    place, form = request.casino, LastTestFilter(request.GET)
    now = DataTable(
        caption="On the floor now",
        columns=(
            Column("What", "words", is_row_heading=True, link=lambda row: _returns_url(place, row.subject)),
            Column("Rounds with a result", lambda row: f"{row.rounds:,}", is_figure=True),
            Column("Looked at after", lambda row: f"{row.looked_at:,}" if row.looked_at else "", is_figure=True),
            Column("Next look after", lambda row: f"{row.next_at:,}", is_figure=True),
            Column("Standing", "tag"),
        ),
        rows=subject_statuses(place, gaming_day(place, timezone.now())),
        name="now",
        is_caption_hidden=True,
        empty="No dice, shaker or table has played this month.",
    )
    looks = DataTable(
        caption="Looks made so far, the newest first",
        columns=(
            Column("What", lambda row: f"{row.get_subject_kind_display()} {row.subject}", is_row_heading=True),
            Column("Month", lambda row: row.window or "Since it came"),
            Column("Gaming day", lambda row: f"{row.examination.gaming_day:%Y-%m-%d}"),
            Column("Rounds", lambda row: f"{row.rounds:,}", sort="rounds", is_figure=True),
            Column("Rarest of the tests", "tested_label"),
            Column("Its p-value", "p_value", is_figure=True, display=lambda row: format_probability(row.p_value)),
            Column("Standing", lambda row: SIGNALLED_TAG if row.is_signalled else NO_SIGNAL_TAG),
        ),
        rows=list_last_tests(place, form.valid_values()),
        empty="Nothing was looked at yet. The first look comes after 200 rounds with a result.",
    )
    context = {
        "panel": FilterPanel(form),
        "now": now,
        "looks": looks,
        "examined": examination_totals(place),
        "signals": list_signals(place, {}).count(),
        "unseen": unseen_signals(place),
        "a_year": format_percent(LEVEL_PER_YEAR),
    }
    return list_response(request, "fairness/overview.html", context, lists=("now", "looks"))


def _returns_url(casino: Casino, subject: Any) -> str:
    """A table has its own page of returns; dice and shakers are filtered in the list of tests."""
    if subject.kind == SubjectKind.TABLE:
        return casino_url("fairness:table", casino, table=subject.name)
    query = urlencode({"subject_kind": subject.kind.value, "subject": subject.name})
    return f"{casino_url('fairness:standing', casino)}?{query}"
