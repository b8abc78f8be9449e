"""Middleware that records every file download from a casino's pages."""

from collections.abc import Callable
from urllib.parse import quote

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone

from compliance.privacy.access_log.list_export import ExportResponse, casino_and_user
from compliance.privacy.access_log.models import AccessMethod
from compliance.privacy.access_log.services import record_disclosure

FILE_CONTENT_TYPES = {"text/csv", "application/pdf", "application/zip", "application/x-ndjson"}


class DisclosureMiddleware:
    """Innermost middleware: the response has passed the view's access rule, and nothing has been sent yet."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        casino, user = casino_and_user(request)
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


def _is_file_download(response: HttpResponseBase) -> bool:
    if isinstance(response, ExportResponse):
        return False
    is_attached = response.get("Content-Disposition", "").startswith("attachment")
    return is_attached or response.get("Content-Type", "").partition(";")[0] in FILE_CONTENT_TYPES


def _file_name_from_header(disposition: str) -> str:
    return quote(disposition.partition('filename="')[2].partition('"')[0], safe=" ()")
