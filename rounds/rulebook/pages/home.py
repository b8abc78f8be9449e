"""A casino's rulebook: versions in force, awaiting approval, approved for later, superseded, withdrawn."""

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from compliance.core.accounts.models import Casino
from compliance.core.accounts.request_types import CasinoRequest, PersonRequest
from compliance.core.accounts.roles import ALL_ROLES
from compliance.core.accounts.views.casino_picker import choose_casino
from compliance.core.web.access import require_roles
from compliance.core.web.ui.components import Column, DataTable
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from rounds.rulebook.models import RuleVersion, RuleVersionQuerySet
from rounds.rulebook.pages.tables import format_version_time
from rounds.rulebook.permissions import MAY_PROPOSE
from rounds.rulebook.selectors import draft_of, versions_of

readers_only = require_roles(*ALL_ROLES)


@readers_only
@require_safe
def casino_list(request: PersonRequest) -> HttpResponse:
    return choose_casino(request, ALL_ROLES, rulebook_url, title="Rulebook", caption="Casinos where you hold a role")


def rulebook_url(casino: Casino) -> str:
    return casino_url("rulebook:home", casino)


@readers_only
@require_safe
def rulebook_home(request: CasinoRequest, casino: str) -> ListResponse:
    now = timezone.now()
    versions = versions_of(request.casino)
    future = versions.approved().filter(effective_at__gt=now)
    withdrawn = versions.filter(withdrawn_at__isnull=False)
    always = (
        _versions_table(request, "In force now", versions.in_force(now), "in-force", "No rules are in force here yet."),
        _versions_table(request, "Waiting for approval", versions.waiting(), "waiting", "Nothing waits for approval."),
    )
    sometimes = (
        _versions_table(request, "Approved for later", future, "future"),
        _versions_table(request, "Superseded", versions.superseded(now), "superseded"),
        _versions_table(request, "Withdrawn", withdrawn, "withdrawn"),
    )
    context = {
        "may_propose": request.user.has_role(*MAY_PROPOSE, casino=request.casino),
        "has_draft": draft_of(request.user, request.casino) is not None,
        "tables": [*always, *(table for table in sometimes if table.count)],
    }
    return list_response(request, "rulebook/home.html", context, lists=("tables",))


def _versions_table(
    request: CasinoRequest, caption: str, rows: RuleVersionQuerySet, name: str, empty: str = ""
) -> DataTable:
    return DataTable(
        caption=caption,
        columns=(
            Column("Rules", "title", sort="title", is_row_heading=True, link=RuleVersion.get_absolute_url),
            Column("Version", "number", sort="number", is_figure=True),
            Column(
                "Effective from",
                "effective_at",
                sort="effective_at",
                display=lambda version: format_version_time(version.effective_at, version),
            ),
            Column("Proposed by", lambda version: f"{version.proposed_by}{' (ruling)' if version.is_ruling else ''}"),
            Column("Approved by", lambda version: version.approved_by and version.approved_by.name),
        ),
        rows=rows,
        query=request.GET,
        empty=empty,
        name=name,
        is_caption_hidden=True,
    )
