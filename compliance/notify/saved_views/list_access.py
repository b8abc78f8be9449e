"""Access to the list of a saved view: whether its access rule admits a person, and which rows the list shows them. The
rows come from the list's registered function, which its page uses too."""

from datetime import datetime

import structlog
from django.db import transaction
from django.http import QueryDict

from compliance.core.accounts.list_registry import ListQuery, list_function, resolve_list
from compliance.core.accounts.models import User
from compliance.core.web.access import access_rule_of
from compliance.core.web.errors import Refusal
from compliance.notify.saved_views.models import SavedView
from compliance.notify.saved_views.selectors import views_for

logger = structlog.get_logger(__name__)

# Only this many rows of a view are compared, the newest; longer lists are watched at that end.
MAX_ROWS = 5_000


class ListNotAccessible(Exception):
    """The list does not exist any more, or the person may not open it."""


def may_open_view(view: SavedView, person: User) -> bool:
    """Whether the person may use the view and open its list now."""
    return views_for(person, view.casino).filter(pk=view.pk).exists() and _is_list_open_to(person, view)


def _is_list_open_to(person: User, view: SavedView) -> bool:
    match = resolve_list(view.path)
    if match is None or match.kwargs.get("casino") != view.casino.slug:
        return False
    rule = access_rule_of(match.func)
    return rule is not None and rule.kind == "roles" and person.has_role(*rule.roles, casino=view.casino)


def visible_row_ids(person: User, view: SavedView, now: datetime) -> list[int]:
    """Primary keys of the rows that the list shows this person now, at most MAX_ROWS, newest first."""
    rows_of = list_function(view.path) if may_open_view(view, person) else None
    if rows_of is None:
        raise ListNotAccessible
    try:
        with transaction.atomic():
            rows = rows_of(ListQuery(person, view.casino, QueryDict(view.query), now))
            return list(rows.order_by("-pk").values_list("pk", flat=True)[:MAX_ROWS])
    except Refusal as refusal:
        raise ListNotAccessible from refusal
    except Exception as error:
        # A list that fails must not stop the notifications of other people.
        logger.exception("view_failed", view=view.pk, path=view.path)
        raise ListNotAccessible from error
