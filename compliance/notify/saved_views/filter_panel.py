"""Saved views in the filter panel of a list, and the signed link that saves the current one."""

from typing import Any
from urllib.parse import urlencode

from django.core import signing
from django.db.models import Case, When
from django.http import HttpRequest, QueryDict

from compliance.core.accounts.models import Casino, User
from compliance.core.web.ui.components import DataTable, FilterPanel
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.saved_view_slot import VIEW_PARAMETER, SavedViewLink, SavedViewPanel, without_page_position
from compliance.notify.saved_views.models import LONGEST_QUERY, SavedView
from compliance.notify.saved_views.selectors import views_for
from compliance.notify.saved_views.services import MAX_VIEWS

LIST_SALT = "compliance.saved.list"
# Links above a list; the page of all views shows the rest. The limit read covers all views of one person.
MAX_LINKS, MAX_VIEWS_READ = 12, 2 * MAX_VIEWS
TOO_LONG_TEXT = "What you search for is too long to be kept as a view. With fewer words it can be."


def build_panel(request: HttpRequest, panel: FilterPanel, table: DataTable | None) -> SavedViewPanel | None:
    """Content of the saved-view slot, on lists of a casino only. There is no save link where the list is neither
    filtered nor sorted, where it shows a saved view unchanged, or where the filter is invalid."""
    casino, person = getattr(request, "casino", None), getattr(request, "user", None)
    if not isinstance(casino, Casino) or not isinstance(person, User):
        return None
    available = views_for(person, casino).filter(path=request.path)
    views = list(available.order_by(_own_views_first(person), "name", "pk")[:MAX_VIEWS_READ])
    current_id = request.GET.get(VIEW_PARAMETER, "")
    current = next((view for view in views if str(view.pk) == current_id), None)
    default_view = next((view for view in views if view.is_usual and view.owner_id == person.pk), None)
    links = [
        SavedViewLink(view.name, view.list_url, view == current, "" if view.owner_id == person.pk else view.owner.name)
        for place, view in enumerate(views)
        if place < MAX_LINKS or view == current
    ]
    query = "" if current or panel.form.errors else without_page_position(request.GET).urlencode()
    is_too_long = len(query) > LONGEST_QUERY
    return SavedViewPanel(
        links=links,
        keep_href=_save_href(request, casino, panel, table, query) if query and not is_too_long else "",
        all_href=casino_url("saved:views", casino),
        trouble=_unknown_filters_text(current, panel) if current else "",
        too_long=TOO_LONG_TEXT if is_too_long else "",
        default_url=default_view.list_url if default_view and not request.GET else "",
    )


def _own_views_first(person: User) -> Case:
    return Case(When(owner=person, then=0), default=1)


def _save_href(request: HttpRequest, casino: Casino, panel: FilterPanel, table: DataTable | None, query: str) -> str:
    shown = {
        "path": request.path,
        "words": table.caption if table is not None else panel.words,
        "query": query,
    }
    address = casino_url("saved:keep", casino)
    return f"{address}?{urlencode({'list': signing.dumps(shown, salt=LIST_SALT, compress=True)})}"


def read_signed_list_url(signed: str, casino: Casino) -> dict[str, Any] | None:
    """The list that a page of this casino offered to save; None if the signature is invalid."""
    try:
        shown: dict[str, Any] = signing.loads(signed, salt=LIST_SALT)
    except signing.BadSignature:
        return None
    return shown if shown["path"].startswith(f"/casinos/{casino.slug}/") else None


def _unknown_filters_text(view: SavedView, panel: FilterPanel) -> str:
    """Filters of the view that the list no longer knows. They are ignored, so the list may show more."""
    form, query = panel.form, QueryDict(view.query)
    fields = set(map(form.add_prefix, form.fields))
    unknown_parameters = [key for key in query if key not in fields and key.rpartition("-")[2] != "sort"]
    invalid_labels = [
        str(form[name].label) for name in form.errors if name in form.fields and form.add_prefix(name) in query
    ]
    unknown = ", ".join([*unknown_parameters, *invalid_labels])
    return f"This view asks for something that the list does not know any more: {unknown}." if unknown else ""
