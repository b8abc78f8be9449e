"""The reference client without a server: calls the WSGI application in process, for runs of a million wagers. Requests
go through the whole middleware, signature check included.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.http import HttpResponse

from rounds.simulator.client.sender import Sender, ServiceResponse

ENTRIES_PATH = "/api/v1/entries"


@cache
def _wsgi_application() -> WSGIHandler:
    return WSGIHandler()


class DirectSender(Sender):
    """The reference client, with its HTTP request replaced by a function call."""

    def _post(self, lines: list[bytes]) -> ServiceResponse | None:
        headers = self.signer.headers(lines, self.clock())
        response = _wsgi_application().get_response(WSGIRequest(self._wsgi_environ(headers, b"\n".join(lines) + b"\n")))
        assert isinstance(response, HttpResponse)
        seconds = response.headers.get("Retry-After", "")
        return ServiceResponse(
            response.status_code, json.loads(response.content), float(seconds) if seconds.isdigit() else None
        )

    def _wsgi_environ(self, headers: Mapping[str, str], content: bytes) -> dict[str, Any]:
        sent = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()}
        return sent | {
            "REQUEST_METHOD": "POST",
            "PATH_INFO": ENTRIES_PATH,
            "QUERY_STRING": self.query.removeprefix("?"),
            "CONTENT_TYPE": headers["Content-Type"],
            "CONTENT_LENGTH": str(len(content)),
            "SERVER_NAME": settings.SITE_NAME,
            "SERVER_PORT": "443",
            "REMOTE_ADDR": "127.0.0.1",
            "wsgi.url_scheme": "https",
            "wsgi.input": io.BytesIO(content),
            "wsgi.errors": io.StringIO(),
        }
