"""Middleware that answers requests for a list as a file, and records them and every file download."""

from collections.abc import Callable
from datetime import datetime
from urllib.parse import quote

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.text import slugify

from compliance.core.accounts.models import Casino, User
from compliance.core.web.errors import Refusal, refusal_response
from compliance.core.web.ui.table_export import CONTENT_TYPES, ExportRequested
from compliance.privacy.access_log.models import AccessMethod
from compliance.privacy.access_log.services import record_disclosure
from rounds.floor.fact_values import Currency
from rounds.floor.selectors import casino_facts_at

FILE_CONTENT_TYPES = {"text/csv", "application/pdf", "application/zip", "application/x-ndjson"}


class ListNotExportable(Refusal):
    code = "not-a-casinos-list"
    status = 404
    title = "This list is not given out as a file"
    detail = "Only the lists of one casino are: taking one away is recorded in that casino's log."
    remedy = "Read it on its page."


class ExportResponse(StreamingHttpResponse):
    """Response with an exported list, which is already recorded: the middleware must not record it again."""


class DisclosureMiddleware:
    """Innermost middleware: the response has passed the view's access rule, and nothing has been sent yet."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        casino, user = _casino_and_user(request)
        if casino and user and request.method != "HEAD" and response.status_code == 200 and _is_file_download(response):
            disposition = response.get("Content-Disposition", "")
            record_disclosure(
                casino=casino,
                way=AccessMethod.FILE,
                what=_file_name_from_header(disposition) or request.path,
                address=request.path,
                format=response["Content-Type"].partition(";")[0],
                filters=request.GET.dict(),
                actor=user,
                now=timezone.now(),
            )
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponseBase | None:
        if not isinstance(exception, ExportRequested):
            return None
        casino, user = _casino_and_user(request)
        if casino is None or user is None:
            return refusal_response(request, ListNotExportable())
        return export_list(request, exception, casino, user, timezone.now())


def export_list(
    request: HttpRequest, export: ExportRequested, casino: Casino, user: User, now: datetime
) -> ExportResponse:
    """The list as it is now. Order: read the first rows, record the disclosure, then stream."""
    table = export.table
    currency = casino_facts_at(casino, now).get(Currency)
    file = table.as_file(currency.code if currency else "")
    if request.method == "GET":
        record_disclosure(
            casino=casino,
            way=AccessMethod.LIST,
            what=table.caption,
            address=request.path,
            format=export.format,
            filters=table.filters,
            rows=file.count,
            actor=user,
            now=now,
        )
    response = ExportResponse(file.encoded_lines(export.format), content_type=CONTENT_TYPES[export.format])
    name = f"{slugify(table.caption)[:80] or 'list'}-{now.astimezone(casino.zone):%Y-%m-%d}.{export.format}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "no-store"
    return response


def _casino_and_user(request: HttpRequest) -> tuple[Casino | None, User | None]:
    """Set by AccessMiddleware: the casino in the URL, at which the person holds a role that opens the view."""
    user = getattr(request, "user", None)
    return getattr(request, "casino", None), user if isinstance(user, User) else None


def _is_file_download(response: HttpResponseBase) -> bool:
    if isinstance(response, ExportResponse):
        return False
    is_attached = response.get("Content-Disposition", "").startswith("attachment")
    return is_attached or response.get("Content-Type", "").partition(";")[0] in FILE_CONTENT_TYPES


def _file_name_from_header(disposition: str) -> str:
    return quote(disposition.partition('filename="')[2].partition('"')[0], safe=" ()")
