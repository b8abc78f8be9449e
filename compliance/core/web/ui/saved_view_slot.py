"""Slot in the filter panel for saved views. notify.saved_views registers a provider of its content. This module only
knows how they look, because the base layer may not import that app."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.http import HttpRequest, QueryDict

from compliance.core.web.ui.components import FilterPanel, RowsQuery, Table

# Query parameter with the id of a saved view; `none` shows the list unfiltered, without even the person's default
# view.
VIEW_PARAMETER, NO_VIEW = "view", "none"


@dataclass(frozen=True)
class SavedViewLink:
    label: str
    href: str
    is_current: bool = False
    # Name of the owner, unless it is the reader.
    by: str = ""


@dataclass(frozen=True)
class SavedViewPanel:
    """Content of the slot on one list page: the saved views of the list, and the link that saves the current one.
    `trouble` names filters of the opened view that the list no longer knows. `too_long` says why the query cannot be
    saved. `usual` is the URL of the person's default view, where the bare URL redirects."""

    links: Sequence[SavedViewLink]
    keep_href: str
    all_href: str
    trouble: str = ""
    too_long: str = ""
    usual: str = ""


PanelProvider = Callable[[HttpRequest, FilterPanel, Table | None], SavedViewPanel | None]
_providers: list[PanelProvider] = []


def register_provider(provider: PanelProvider) -> None:
    _providers[:] = [provider]


def saved_view_panel(request: HttpRequest | None, panel: FilterPanel, table: Table | None) -> SavedViewPanel | None:
    if request is None or not panel.can_be_kept or not _providers:
        return None
    content = _providers[0](request, panel, table)
    if content is not None and content.usual:
        # saved_views.middleware redirects the person there.
        request.usual_view = content.usual  # type: ignore[attr-defined]
    return content


def rows_query(query: str, table_id: str) -> RowsQuery:
    """A query for the rows of one table instead of a page."""
    result = RowsQuery(query)
    result.table_id = table_id  # type: ignore[attr-defined]
    return result  # type: ignore[return-value]


def without_page_position(query: QueryDict) -> QueryDict:
    """The filters and sorting of a query, without page position, format and view."""
    remaining = query.copy()
    for key in list(remaining):
        if key.rpartition("-")[2] in (VIEW_PARAMETER, "page", "format", "before", "after") or not any(
            remaining.getlist(key)
        ):
            del remaining[key]
    return remaining
