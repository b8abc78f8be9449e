"""Runs a list as a given person: whether its access rule admits them, and which rows it shows. The view function
itself is called, so that access is decided in one place only."""

from collections.abc import Sequence
from typing import Any

import structlog
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import Resolver404, ResolverMatch, resolve
from django_htmx.middleware import HtmxDetails

from compliance.core.accounts.models import User
from compliance.core.web.access import access_rule_of
from compliance.core.web.errors import Refusal
from compliance.core.web.ui.components import RowsRequested
from compliance.core.web.ui.saved_view_slot import rows_query
from compliance.notify.saved_views.models import SavedView
from compliance.notify.saved_views.selectors import views_for

logger = structlog.get_logger(__name__)

# Only this many rows of a view are compared, the newest; longer lists are watched at that end.
MAX_ROWS = 5_000


class ListNotAccessible(Exception):
    """The list does not exist any more, or the person may not open it."""


def may_open_view(view: SavedView, person: User) -> bool:
    """Whether the person may use the view and open its list now."""
    return views_for(person, view.casino).filter(pk=view.pk).exists() and _resolve_if_allowed(view, person) is not None


def _resolve_if_allowed(view: SavedView, person: User) -> ResolverMatch | None:
    try:
        match = resolve(view.path)
    except Resolver404:
        return None
    rule = access_rule_of(match.func)
    is_of_casino = match.kwargs.get("casino") == view.casino.slug
    if rule is None or rule.kind != "roles" or not is_of_casino or not person.has_role(*rule.roles, casino=view.casino):
        return None
    return match


def visible_row_ids(person: User, view: SavedView) -> list[int]:
    """Primary keys of the rows that the list shows this person now, at most MAX_ROWS, newest first."""
    match = _resolve_if_allowed(view, person) if may_open_view(view, person) else None
    if match is None:
        raise ListNotAccessible
    # Rolled back: side effects of the page must not happen, because nobody opened it.
    with transaction.atomic():
        try:
            return _row_ids_of_page(match, _build_request(person, view, match))
        except ListNotAccessible:
            logger.warning("view_without_rows", view=view.pk, path=view.path)
            raise
        except Refusal as refusal:
            raise ListNotAccessible from refusal
        except Exception as error:
            # A page that fails must not stop the notifications of other people.
            logger.exception("view_failed", view=view.pk, path=view.path)
            raise ListNotAccessible from error
        finally:
            transaction.set_rollback(True)


def _build_request(person: User, view: SavedView, match: ResolverMatch) -> HttpRequest:
    request = HttpRequest()
    request.method, request.path, request.path_info = "GET", view.path, view.path
    request.GET = rows_query(view.query, view.table_id)  # type: ignore[assignment]
    request.resolver_match = match
    request.user = person
    request.htmx = HtmxDetails(request)  # type: ignore[attr-defined]
    request.casino = view.casino  # type: ignore[attr-defined]
    return request


def _row_ids_of_page(match: ResolverMatch, request: HttpRequest) -> list[int]:
    try:
        match.func(request, *match.args, **match.kwargs)
    except RowsRequested as wanted:
        return _row_ids(wanted.rows)
    raise ListNotAccessible


def _row_ids(rows: QuerySet[Any] | Sequence[Any]) -> list[int]:
    if not isinstance(rows, QuerySet):
        raise ListNotAccessible
    return list(rows.order_by("-pk").values_list("pk", flat=True)[:MAX_ROWS])
