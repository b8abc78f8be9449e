"""The home page: a person's inbox by casino, and links to the pages they work with."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from compliance.core.accounts.models import Casino, RoleAssignment
from compliance.core.accounts.request_types import PersonRequest
from compliance.core.web.access import access_rule_of, all_url_routes, signed_in
from compliance.core.web.ui.components import Tag, Task, TaskList
from compliance.core.web.ui.links import casino_url
from compliance.notify.saved_views.models import SavedView
from compliance.notify.saved_views.selectors import own_views
from compliance.pages.inbox import InboxItem, inbox_items

# The usual first pages of a casino; each is shown to those whose role may open it.
START_PAGES = (
    ("desk:floor", "Floor"),
    ("audit:findings", "Findings"),
    ("fairness:standing", "Fairness"),
    ("disputes:disputes", "Disputes"),
    ("promotions:board", "Promotions"),
    ("evidence:ledger", "Ledger"),
    ("witnesses:witnesses", "Witnesses"),
    ("rulebook:home", "Rulebook"),
    # For administrators, who may change the holidays but not open the promotions board that links to them.
    ("draws:change-holidays", "Holidays"),
)


@dataclass(frozen=True)
class CasinoCard:
    """A casino where the person works: their roles and tasks there."""

    casino: Casino
    held: Sequence[RoleAssignment]
    tasks: TaskList | None
    links: Sequence[tuple[str, str]]
    views: Sequence[SavedView]

    @property
    def roles(self) -> str:
        return ", ".join(held.get_role_display() for held in self.held)


@signed_in
@require_safe
def home(request: PersonRequest) -> HttpResponse:
    now = timezone.now()
    waiting = inbox_items(request.user, now)
    anywhere = [thing for thing in waiting if thing.casino is None]
    context = {
        "tasks": _task_list(anywhere, "What waits for you"),
        "is_anything_waiting": bool(waiting),
        "cards": _casino_cards(request, waiting),
        "now": now,
    }
    return render(request, "pages/home.html", context)


def _task_list(waiting: Sequence[InboxItem], label: str) -> TaskList | None:
    tasks = [Task(thing.label, Tag(thing.state, thing.kind), thing.href, thing.hint) for thing in waiting]
    return TaskList(tasks, label) if tasks else None


def _casino_cards(request: PersonRequest, waiting: Sequence[InboxItem]) -> list[CasinoCard]:
    by_casino: dict[Casino, list[RoleAssignment]] = {}
    kept = list(own_views(request.user))
    for held in request.user.roles_now():
        by_casino.setdefault(held.casino, []).append(held)
    return [
        CasinoCard(
            casino,
            held,
            _task_list([thing for thing in waiting if thing.casino == casino], f"What waits for you at {casino}"),
            _start_links(casino, held),
            [view for view in kept if view.casino == casino],
        )
        for casino, held in by_casino.items()
    ]


def _start_links(casino: Casino, held: Sequence[RoleAssignment]) -> list[tuple[str, str]]:
    roles = {each.role for each in held}
    rules = {address.name: access_rule_of(address.view) for address in all_url_routes()}
    opened = [(name, label) for name, label in START_PAGES if (rule := rules.get(name)) and roles & rule.roles]
    return [(casino_url(name, casino), label) for name, label in opened]
