"""Views of lists that people keep under a name, as the kit shows them beside every filter.

The app that keeps them says which there are (register); the kit knows only how they look.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.http import HttpRequest, QueryDict

from compliance.core.web.ui.components import FilterPanel, RowsQuery, Table

# In an address: which kept view it is, or that none is meant, not even the person's usual one.
VIEW_PARAMETER, NO_VIEW = "view", "none"


@dataclass(frozen=True)
class SavedViewLink:
    label: str
    href: str
    is_current: bool = False
    # Whose it is, unless the reader's own.
    by: str = ""


@dataclass(frozen=True)
class SavedViewPanel:
    """What one list page offers: the views kept of it, and where the one that is shown can be kept.

    `trouble` says what the opened view asks for and the list does not know. `too_long` says that what is asked for
    cannot be kept. `usual` is where the person is taken who opens the list without asking for anything."""

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
    shelf = _providers[0](request, panel, table)
    if shelf is not None and shelf.usual:
        # The middleware of whoever keeps views takes the person there.
        request.usual_view = shelf.usual  # type: ignore[attr-defined]
    return shelf


def rows_query(query: str, table_id: str) -> RowsQuery:
    """The address of a list, as somebody asks who wants its rows and no page."""
    asked = RowsQuery(query)
    asked.table_id = table_id  # type: ignore[attr-defined]
    return asked  # type: ignore[return-value]


def without_page_position(query: QueryDict) -> QueryDict:
    """What narrows and sorts a list, without where one was in it."""
    left = query.copy()
    for key in list(left):
        if key.rpartition("-")[2] in (VIEW_PARAMETER, "page", "format", "before", "after") or not any(
            left.getlist(key)
        ):
            del left[key]
    return left
