"""The home page: what waits for the person who opens it, and where they work."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.models import Casino, RoleHeld
from compliance.accounts.requests import PersonRequest
from compliance.desk.waiting import waiting_for
from compliance.web.access import signed_in
from compliance.web.components import Column, Table, Tag, Task, TaskList
from compliance.web.templatetags.kit import local


@signed_in
@never_cache
@require_safe
def home(request: PersonRequest) -> HttpResponse:
    now = timezone.now()
    waiting = waiting_for(request.user, now)
    tasks = [Task(thing.label, Tag(thing.state, thing.kind), thing.href, thing.hint) for thing in waiting]
    by_casino: dict[Casino, list[RoleHeld]] = {}
    for held in request.user.roles_now():
        by_casino.setdefault(held.casino, []).append(held)
    places = Table(
        caption="Where you work",
        columns=(
            Column("Casino", lambda row: row[0].name, is_row_heading=True),
            Column("Your roles", lambda row: ", ".join(held.get_role_display() for held in row[1])),
            Column("Time there now", lambda row: local(now, row[0])),
        ),
        rows=list(by_casino.items()),
        page_size=200,
        empty="You hold no role at any casino yet. An administrator of your casino can give you one.",
        name="places",
    )
    context = {"tasks": TaskList(tasks, "What waits for you") if tasks else None, "places": places}
    return render(request, "desk/home.html", context)
