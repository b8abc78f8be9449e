"""Lists that the address asks for as a file are answered here, and files are noticed on their way out: all recorded."""

from collections.abc import Callable
from datetime import datetime
from urllib.parse import quote

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.text import slugify

from compliance.accounts.models import Casino, User
from compliance.disclosures.models import Way
from compliance.disclosures.services import record_disclosure
from compliance.web.errors import Refusal, answer
from compliance.web.exporting import CONTENT_TYPES, ListWanted
from rounds.floor.selectors import casino_facts_at
from rounds.floor.values import Currency

OUT = {"text/csv", "application/pdf", "application/zip", "application/x-ndjson"}


class NotTaken(Refusal):
    code = "not-a-casinos-list"
    status = 404
    title = "This list is not given out as a file"
    detail = "Only the lists of one casino are: taking one away is recorded in that casino's log."
    remedy = "Read it on its page."


class ListResponse(StreamingHttpResponse):
    """A list on its way out, which is recorded already."""


class DisclosureMiddleware:
    """Innermost of all: what a casino's page hands out has passed its access rule, and nothing has been sent yet."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        casino, user = _where_and_who(request)
        if casino and user and request.method != "HEAD" and response.status_code == 200 and _is_file(response):
            disposition = response.get("Content-Disposition", "")
            record_disclosure(
                casino=casino, way=Way.FILE, what=_file_name(disposition) or request.path, address=request.path,
                format=response["Content-Type"].partition(";")[0], filters=request.GET.dict(), actor=user,
                now=timezone.now(),
            )  # fmt: skip
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponseBase | None:
        if not isinstance(exception, ListWanted):
            return None
        casino, user = _where_and_who(request)
        if casino is None or user is None:
            return answer(request, NotTaken())
        return hand_over(request, exception, casino, user, timezone.now())


def hand_over(request: HttpRequest, wanted: ListWanted, casino: Casino, user: User, now: datetime) -> ListResponse:
    """The list as it stands now, row for row: it is opened first, then recorded, then sent."""
    table = wanted.table
    currency = casino_facts_at(casino, now).get(Currency)
    file = table.as_file(currency.code if currency else "")
    if request.method == "GET":
        record_disclosure(
            casino=casino, way=Way.LIST, what=table.caption, address=request.path, format=wanted.format,
            filters=table.filters, rows=file.count, actor=user, now=now,
        )  # fmt: skip
    response = ListResponse(file.lines(wanted.format), content_type=CONTENT_TYPES[wanted.format])
    name = f"{slugify(table.caption)[:80] or 'list'}-{now.astimezone(casino.zone):%Y-%m-%d}.{wanted.format}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "no-store"
    return response


def _where_and_who(request: HttpRequest) -> tuple[Casino | None, User | None]:
    """Set by the access rule: the casino of the address, where the person holds a role that opens it."""
    user = getattr(request, "user", None)
    return getattr(request, "casino", None), user if isinstance(user, User) else None


def _is_file(response: HttpResponseBase) -> bool:
    if isinstance(response, ListResponse):
        return False
    is_attached = response.get("Content-Disposition", "").startswith("attachment")
    return is_attached or response.get("Content-Type", "").partition(";")[0] in OUT


def _file_name(disposition: str) -> str:
    return quote(disposition.partition('filename="')[2].partition('"')[0], safe=" ()")
