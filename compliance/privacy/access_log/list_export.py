"""Exports of lists: recorded in the casino's log, then streamed."""

from django.http import HttpRequest, StreamingHttpResponse
from django.utils import timezone
from django.utils.text import slugify

from compliance.core.accounts.models import Casino, User
from compliance.core.web.errors import Refusal
from compliance.core.web.ui.components import DataTable
from compliance.core.web.ui.table_export import CONTENT_TYPES, Format
from compliance.privacy.access_log.models import AccessMethod
from compliance.privacy.access_log.services import record_disclosure
from rounds.floor.fact_values import CurrencyValue
from rounds.floor.selectors import casino_facts_at


class ListNotExportable(Refusal):
    code = "not-a-casinos-list"
    status = 404
    title = "This list is not given out as a file"
    detail = "Only the lists of one casino are: taking one away is recorded in that casino's log."
    remedy = "Read it on its page."


class ExportResponse(StreamingHttpResponse):
    """Response with an exported list, which is already recorded: the middleware must not record it again."""


def casino_and_user(request: HttpRequest) -> tuple[Casino | None, User | None]:
    """Set by AccessMiddleware: the casino in the URL, at which the person holds a role that opens the view."""
    user = getattr(request, "user", None)
    return getattr(request, "casino", None), user if isinstance(user, User) else None


def export_list(request: HttpRequest, table: DataTable, format: Format) -> ExportResponse:
    """The list as it is now. Order: read the first rows, record the disclosure, then stream."""
    casino, user = casino_and_user(request)
    if casino is None or user is None:
        raise ListNotExportable
    now = timezone.now()
    currency = casino_facts_at(casino, now).get(CurrencyValue)
    file = table.as_file(currency.code if currency else "")
    if request.method == "GET":
        record_disclosure(
            casino=casino,
            way=AccessMethod.LIST,
            what=table.caption,
            address=request.path,
            format=format,
            filters=table.filters,
            rows=file.count,
            actor=user,
            now=now,
        )
    response = ExportResponse(file.encoded_lines(format), content_type=CONTENT_TYPES[format])
    name = f"{slugify(table.caption)[:80] or 'list'}-{now.astimezone(casino.zone):%Y-%m-%d}.{format}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "no-store"
    return response
