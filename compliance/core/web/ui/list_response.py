"""Response of a page with lists: the page, or one of its lists as a file. privacy.access_log registers the function
that records and streams the file, because the base layer may not import that app."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render

from compliance.core.web.ui.components import Chart, DataTable
from compliance.core.web.ui.saved_view_slot import saved_view_panel
from compliance.core.web.ui.table_export import Format

ListResponse = HttpResponse | StreamingHttpResponse
Exporter = Callable[[HttpRequest, DataTable, Format], StreamingHttpResponse]
_exporters: list[Exporter] = []


def register_exporter(exporter: Exporter) -> None:
    _exporters[:] = [exporter]


def list_response(
    request: HttpRequest, template: str, context: dict[str, Any], lists: Sequence[str] = ("table",)
) -> ListResponse:
    """The page, with the casino of its URL and the saved views of its filter `panel`; a file, if the query asks for one
    (`?format=csv`); or a redirect to the person's default view. `lists` names the tables of the context that are lists:
    they are sorted, paged and exported as the query asks."""
    tables = list(_tables_in([context.get(name) for name in lists]))
    for table in tables:
        if not table.is_list:
            table.bind(request.GET)
        if table.requested_format and request.method in ("GET", "HEAD"):
            return export_response(request, table, table.requested_format)
    saved_views = saved_view_panel(request, context.get("panel"), tables[0] if tables else None)
    if saved_views and saved_views.default_url:
        return redirect(saved_views.default_url)
    return render(request, template, {"casino": getattr(request, "casino", None), "saved_views": saved_views} | context)


def export_response(request: HttpRequest, table: DataTable, format: Format) -> StreamingHttpResponse:
    """A list as a file, recorded as taken by this person."""
    return _exporters[0](request, table, format)


def _tables_in(value: Any) -> Iterator[DataTable]:
    """The tables in a part of the context, which may be a chart, a section, or a list of these."""
    if isinstance(value, DataTable):
        yield value
    elif isinstance(value, Chart):
        yield value.table
    elif isinstance(value, dict | list | tuple):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _tables_in(part)
