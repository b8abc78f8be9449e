"""The floor's entry page, the list of tables, and the forms that add and retire one."""

from datetime import datetime

from django import forms
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.db.models.fields.json import KeyTextTransform
from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from compliance.core.accounts.list_registry import FilteredList, ListQuery
from compliance.core.accounts.models import Casino
from compliance.core.accounts.request_types import CasinoRequest, PersonRequest
from compliance.core.accounts.views.casino_picker import choose_casino
from compliance.core.web.ui.components import Column, DataTable, FilterPanel, Tag
from compliance.core.web.ui.confirm_page import ConfirmPage, allow_get_post, bound_data, confirm_page
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from rounds.floor import models
from rounds.floor.models import Fact
from rounds.floor.pages.common import controller_readers_only, fact_editors_only, may_state_facts, readers_only
from rounds.floor.pages.forms import AddTableForm, TableFilter
from rounds.floor.permissions import MAY_READ, MAY_SEE_CONTROLLERS
from rounds.floor.selectors import access_table
from rounds.floor.services import add_table, retire_table
from rounds.rulebook.selectors import versions_in_force


@controller_readers_only
@require_safe
def casinos(request: PersonRequest) -> HttpResponse:
    def floor_url(casino: Casino) -> str:
        """Links to the live floor if the app above that has it is installed. Administrators see controllers but no
        tables."""
        if request.user.has_role(*MAY_READ, casino=casino):
            return casino_url("desk:floor", casino)
        return casino_url("floor:controllers", casino)

    return choose_casino(request, MAY_SEE_CONTROLLERS, floor_url, title="Floor", caption="Casinos whose floor you see")


def search_tables(casino: Casino, words: str, state: str, now: datetime) -> QuerySet[models.Table]:
    """Tables annotated with their current rules, so that the number of queries does not grow with the list."""
    rules = (
        Fact.objects.not_retracted()
        .filter(table=OuterRef("pk"), terminal=None, name="rules", effective_at__lte=now)
        .newest_first()
    )
    tables = models.Table.objects.filter(casino=casino)
    for word in words.split():
        tables = tables.filter(Q(name__icontains=word) | Q(slug__icontains=word))
    if state != "all":
        tables = tables.filter(retired_at__isnull=state != "retired")
    return tables.annotate(rules=Subquery(rules.values(slug=KeyTextTransform("rules", "value"))[:1]))


TABLES = FilteredList(
    "floor:tables",
    TableFilter,
    lambda asked, chosen: search_tables(asked.casino, chosen["q"], chosen["state"], asked.now),
)


@readers_only
@require_safe
def tables(request: CasinoRequest, casino: str) -> ListResponse:
    asked = ListQuery.from_request(request)
    form, rows = TABLES(asked)
    titles = {slug: version.title for slug, version in versions_in_force(request.casino, asked.now).items()}
    context = {
        "panel": FilterPanel(form, legend="Search and filter"),
        "may_state": may_state_facts(request.user, request.casino),
        "table": DataTable(
            caption=f"Tables of {request.casino}",
            columns=(
                Column(
                    "Table",
                    "name",
                    sort="name",
                    is_row_heading=True,
                    link=lambda table: casino_url("floor:table", request.casino, table=table.slug),
                ),
                Column("Short name", "slug", sort="slug"),
                Column("Rules", lambda table: titles.get(table.rules, table.rules) or Tag("Not stated", "warning")),
                Column("Added", "added_at", sort="added_at"),
                Column("State", lambda table: Tag("Retired") if table.retired_at else Tag("In use", "success")),
            ),
            rows=rows,
            sort="name",
            empty="No table fits this search." if any(form.valid_values().values()) else "There are no tables yet.",
        ),
    }
    return list_response(request, "floor/tables.html", context)


@fact_editors_only
@allow_get_post
def add_table_page(request: CasinoRequest, casino: str) -> HttpResponse:
    form = AddTableForm(bound_data(request))
    act = ConfirmPage(
        title=f"Add a table to {request.casino}",
        consequences=(
            "It is on the list from now on, and so is an entry in the ledger that says you added it.",
            "Then state its facts: the rules first, because the other facts depend on them.",
        ),
        submit="Add table",
        back=casino_url("floor:tables", request.casino),
        back_label="Floor",
        done="The table is on the list. Now state its facts.",
    )
    slug = request.POST.get("slug", "")

    def save_table() -> None:
        typed = form.cleaned_data
        add_table(casino=request.casino, slug=typed["slug"], name=typed["name"], actor=request.user, now=timezone.now())

    then = casino_url("floor:table", request.casino, table=slug) if form.is_bound and form.is_valid() and slug else ""
    return confirm_page(request, act, form, save_table, redirect_to=then)


@fact_editors_only
@allow_get_post
def retire_table_page(request: CasinoRequest, casino: str, table: str) -> HttpResponse:
    found = access_table(request.user, request.casino, table)
    act = ConfirmPage(
        title=f"Retire {found}",
        consequences=(
            "It leaves the list of tables in use, and no controller can report for it any more.",
            "What was recorded about it stays. A retired table does not come back; add a new one instead.",
        ),
        submit="Retire table",
        back=casino_url("floor:table", request.casino, table=found.slug),
        back_label=found.name,
        done=f"{found} is retired.",
        is_danger=True,
    )
    return confirm_page(
        request,
        act,
        forms.Form(bound_data(request)),
        lambda: retire_table(table=found, actor=request.user, now=timezone.now()),
    )
