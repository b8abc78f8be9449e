"""Slot in the filter panel for saved views. notify.saved_views registers a provider of its content. This module only
knows how they look, because the base layer may not import that app."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.http import HttpRequest, QueryDict

from compliance.core.web.ui.components import DataTable, FilterPanel

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
    saved. `default_url` is the person's default view, where the bare URL redirects."""

    links: Sequence[SavedViewLink]
    keep_href: str
    all_href: str
    trouble: str = ""
    too_long: str = ""
    default_url: str = ""


PanelProvider = Callable[[HttpRequest, FilterPanel, DataTable | None], SavedViewPanel | None]
_providers: list[PanelProvider] = []


def register_provider(provider: PanelProvider) -> None:
    _providers[:] = [provider]


def saved_view_panel(request: HttpRequest, panel: FilterPanel | None, table: DataTable | None) -> SavedViewPanel | None:
    return _providers[0](request, panel, table) if panel and panel.can_be_kept and _providers else None


def without_page_position(query: QueryDict) -> QueryDict:
    """The filters and sorting of a query, without page position, format and view."""
    remaining = query.copy()
    for key in list(remaining):
        if key.rpartition("-")[2] in (VIEW_PARAMETER, "page", "format", "before", "after") or not any(
            remaining.getlist(key)
        ):
            del remaining[key]
    return remaining
