"""Which tables there are: the way in, the list, adding one and taking one out of use."""

from django import forms
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.db.models.fields.json import KeyTextTransform
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.models import Casino
from compliance.accounts.requests import CasinoRequest, PersonRequest
from compliance.accounts.views.acts import asks_first
from compliance.accounts.views.choosing import choose_casino
from compliance.accounts.views.steps import Act, act_page, posted
from compliance.web.components import Column, FilterPanel, Table, Tag
from compliance.web.templatetags.kit import local
from rounds.floor import models
from rounds.floor.forms import AddTableForm, TableFilter
from rounds.floor.models import Fact
from rounds.floor.selectors import access_table
from rounds.floor.services import add_table, retire_table
from rounds.floor.standing import MAY_READ, MAY_SEE_CONTROLLERS
from rounds.floor.views.presenting import address_of, may_state, readers, seers_of_controllers, staters
from rounds.rulebook.selectors import versions_in_force


@seers_of_controllers
@require_safe
def casinos(request: PersonRequest) -> HttpResponse:
    def way_in(casino: Casino) -> str:
        """Straight to the live floor, which a higher app has. Administrators see the controllers and no tables."""
        if request.user.holds(*MAY_READ, casino=casino):
            return reverse("desk:floor", kwargs={"casino": casino.slug})
        return address_of("controllers", casino)

    return choose_casino(request, MAY_SEE_CONTROLLERS, way_in, title="Floor", caption="Casinos whose floor you see")


def search_tables(casino: Casino, words: str, state: str) -> QuerySet[models.Table]:
    """With the rules played there now, so that a list of any length takes a fixed number of queries."""
    now = timezone.now()
    rules = Fact.objects.standing().filter(
        table=OuterRef("pk"), terminal=None, name="rules", effective_at__lte=now
    ).newest_first()  # fmt: skip
    tables = models.Table.objects.filter(casino=casino)
    for word in words.split():
        tables = tables.filter(Q(name__icontains=word) | Q(slug__icontains=word))
    if state != "all":
        tables = tables.filter(retired_at__isnull=state != "retired")
    return tables.annotate(rules=Subquery(rules.values(slug=KeyTextTransform("rules", "value"))[:1]))


@readers
@require_safe
def tables(request: CasinoRequest, casino: str) -> HttpResponse:
    form = TableFilter(request.GET)
    chosen = form.chosen()
    titles = {slug: version.title for slug, version in versions_in_force(request.casino, timezone.now()).items()}
    context = {
        "casino": request.casino,
        "panel": FilterPanel(form, legend="Search and filter"),
        "may_state": may_state(request.user, request.casino),
        "table": Table(
            caption=f"Tables of {request.casino}",
            columns=(
                Column(
                    "Table", "name", sort="name", is_row_heading=True,
                    link=lambda table: address_of("table", request.casino, table=table.slug),
                ),
                Column("Short name", "slug", sort="slug"),
                Column("Rules", lambda table: titles.get(table.rules, table.rules) or Tag("Not stated", "warning")),
                Column("Added", lambda table: local(table.added_at, request.casino), sort="added_at"),
                Column("State", lambda table: Tag("Retired") if table.retired_at else Tag("In use", "success")),
            ),
            rows=search_tables(request.casino, chosen["q"], chosen["state"]),
            query=request.GET,
            sort="name",
            empty="No table fits this search." if any(chosen.values()) else "There are no tables yet.",
        ),
    }  # fmt: skip
    return render(request, "floor/tables.html", context)


@staters
@never_cache
@asks_first
def add(request: CasinoRequest, casino: str) -> HttpResponse:
    form = AddTableForm(posted(request))
    act = Act(
        title=f"Add a table to {request.casino}",
        consequences=(
            "It is on the list from now on, and so is an entry in the ledger that says you added it.",
            "Then state its facts: the rules first, because the other facts depend on them.",
        ),
        submit="Add table",
        back=address_of("tables", request.casino),
        back_label="Floor",
        done="The table is on the list. Now state its facts.",
    )
    slug = request.POST.get("slug", "")

    def do() -> None:
        typed = form.cleaned_data
        add_table(casino=request.casino, slug=typed["slug"], name=typed["name"], actor=request.user, now=timezone.now())

    then = address_of("table", request.casino, table=slug) if form.is_bound and form.is_valid() and slug else ""
    return act_page(request, act, form, do, then=then)


@staters
@never_cache
@asks_first
def retire(request: CasinoRequest, casino: str, table: str) -> HttpResponse:
    found = access_table(request.user, request.casino, table)
    act = Act(
        title=f"Retire {found}",
        consequences=(
            "It leaves the list of tables in use, and no controller can report for it any more.",
            "What was recorded about it stays. A retired table does not come back; add a new one instead.",
        ),
        submit="Retire table",
        back=address_of("table", request.casino, table=found.slug),
        back_label=found.name,
        done=f"{found} is retired.",
        is_danger=True,
    )
    return act_page(
        request, act, forms.Form(posted(request)),
        lambda: retire_table(table=found, actor=request.user, now=timezone.now()),
    )  # fmt: skip
