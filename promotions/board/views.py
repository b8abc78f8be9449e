"""Board and calendar: promotions that start, filings due, winners and claimants not notified yet."""

from datetime import datetime

from django.utils import timezone
from django.views.decorators.http import require_safe

from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.ui.components import Column, DataTable, Tag
from compliance.core.web.ui.list_response import ListResponse, list_response
from promotions.board.calendar import LOOK_AHEAD
from promotions.claims.denials import format_waiting_time, overdue_at, waiting_time
from promotions.claims.selectors import open_claims, unnotified_denials
from promotions.draws.views.winners import unnotified_table
from promotions.shared.deadlines import HolidayCache
from promotions.shared.duties import promotion_rules_at
from promotions.shared.permissions import MAY_WRITE
from promotions.terms.content.filing_deadline import latest_filing_time
from promotions.terms.models import Draft
from promotions.terms.selectors import current_versions, drafts_of, promotions_without_reference
from promotions.terms.views.common import PromotionNotes, phase_tag, readers
from rounds.engine import Promotions

BOARD_PAGE_SIZE = 25


@readers
@require_safe
def board(request: CasinoRequest, casino: str) -> ListResponse:
    now = timezone.now()
    found = promotion_rules_at(request.casino, now)
    context = {
        "governing": found,
        "may_write": request.user.has_role(*MAY_WRITE, casino=request.casino),
        "tables": _board_tables(request, found.duties, now) if found else [],
    }
    return list_response(request, "promotions/board.html", context, lists=("tables",))


def _board_tables(request: CasinoRequest, duties: Promotions, now: datetime) -> list[tuple[str, DataTable]]:
    """Most urgent first: people who wait come before documents."""
    tables = [
        ("Winners not notified yet", unnotified_table(request, now)),
        ("Denials whose reasons nobody was told", _denial_table(request, duties, now)),
        ("Claims to decide", _claim_table(request, now)),
        ("Starting soon and running", _running_table(request, now)),
        (
            "Running, and no material on record refers to the terms",
            _promotions_without_reference_table(request, duties, now),
        ),
    ]
    if request.user.has_role(*MAY_WRITE, casino=request.casino):
        tables.insert(3, ("Drafts to be filed", _draft_table(request, duties, now)))
    return tables


def _draft_table(request: CasinoRequest, duties: Promotions, now: datetime) -> DataTable:
    def due(draft: Draft) -> object:
        starts = draft.terms.starts_at
        return latest_filing_time(starts, duties.filing) if starts else "No start yet"

    def state(draft: Draft) -> Tag:
        starts = draft.terms.starts_at
        if starts is None:
            return Tag("Begun", "info")
        return (
            Tag("Too late", "danger") if now > latest_filing_time(starts, duties.filing) else Tag("In time", "success")
        )

    return DataTable(
        caption="Drafts to be filed",
        columns=(
            Column("Draft", str, is_row_heading=True, link=lambda row: row.address("draft")),
            Column("File by", due),
            Column("State", state),
            Column("Changed", "changed_at"),
        ),
        rows=drafts_of(request.casino),
        name="drafts",
        page_size=BOARD_PAGE_SIZE,
        empty="No draft waits.",
        is_caption_hidden=True,
    )


def _denial_table(request: CasinoRequest, duties: Promotions, now: datetime) -> DataTable:
    known = HolidayCache()
    return DataTable(
        caption="Denials whose reasons nobody was told",
        columns=(
            Column("Claim", "reference", is_row_heading=True, link=lambda row: row.get_absolute_url()),
            Column("Prize", "prize"),
            Column("Denied", "decision.at"),
            Column("Waits for", lambda row: format_waiting_time(waiting_time(row.decision, now))),
            Column(
                "State",
                lambda row: (
                    Tag("Overdue", "danger")
                    if now >= overdue_at(request.casino, row.decision.at, duties, known)
                    else Tag("Waiting", "warning")
                ),
            ),
        ),
        rows=unnotified_denials(request.casino),
        name="denials",
        page_size=BOARD_PAGE_SIZE,
        empty="Every denial was explained to the patron.",
        is_caption_hidden=True,
    )


def _claim_table(request: CasinoRequest, now: datetime) -> DataTable:
    return DataTable(
        caption="Claims to decide",
        columns=(
            Column("Claim", "reference", is_row_heading=True, link=lambda row: row.get_absolute_url()),
            Column("Prize", "prize"),
            Column("Value", "value_cents", is_money=True),
            Column("Claimed", "claimed_at"),
        ),
        rows=open_claims(request.casino, now),
        name="claims",
        page_size=BOARD_PAGE_SIZE,
        empty="No claim waits for a decision.",
        is_caption_hidden=True,
    )


def _running_table(request: CasinoRequest, now: datetime) -> DataTable:
    notes = PromotionNotes(request)
    rows = current_versions(request.casino, now).filter(starts_at__lte=now + LOOK_AHEAD).exclude(ends_at__lte=now)
    return DataTable(
        caption="Promotions that start soon or are running",
        columns=(
            Column("Promotion", "name", is_row_heading=True, link=lambda row: row.promotion.get_absolute_url()),
            Column("Starts", "starts_at"),
            Column("Entries close", "closes_at"),
            Column("Drawn", "awarded_at"),
            Column("State", lambda row: notes.tag(row, phase_tag(row, now))),
        ),
        rows=rows.order_by("starts_at"),
        prepare=notes.read,
        name="running",
        page_size=BOARD_PAGE_SIZE,
        empty="Nothing starts soon, and nothing is running.",
        is_caption_hidden=True,
    )


def _promotions_without_reference_table(request: CasinoRequest, duties: Promotions, now: datetime) -> DataTable:
    """Not a finding: a missing record does not prove that the material lacks the reference. Listed so that marketing
    checks."""
    return DataTable(
        caption="Running, and no material on record refers to the terms",
        columns=(
            Column("Promotion", "name", is_row_heading=True, link=lambda row: row.promotion.address("materials")),
            Column("Started", "starts_at"),
            Column("Clause", lambda row: duties.terms_shown.clause),
        ),
        rows=promotions_without_reference(request.casino, now).order_by("starts_at"),
        name="unreferenced",
        page_size=BOARD_PAGE_SIZE,
        empty="Every promotion that runs has material that refers to its terms.",
        is_caption_hidden=True,
    )
