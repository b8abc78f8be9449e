"""API for witnesses. No sign-in: signatures are verified before anything is stored."""

from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from compliance.core.web.access import public
from compliance.core.web.http.api_view import SessionlessView
from compliance.core.web.http.client_address import client_address
from compliance.core.web.http.rate_limit import enforce_rate_limit
from compliance.transparency.witness_registry.errors import BodyTooLong, UnknownCheckpoint
from compliance.transparency.witness_registry.openapi import COSIGNATURES, DISAGREEMENTS, MAX_BODY_BYTES
from compliance.transparency.witness_registry.services import receive_cosignatures, receive_dissent
from rounds.transparency_log import tree


class CosignaturesView(SessionlessView):
    """Cosignature lines for the checkpoint of that size."""

    http_method_names = ["post"]  # noqa: RUF012

    @extend_schema(**COSIGNATURES)
    def post(self, request: Request, log: str, size: int) -> JsonResponse:
        if size > tree.MAX_SIZE:
            raise UnknownCheckpoint
        lines = _read_bounded_body(request._request)
        taken = receive_cosignatures(log=log, size=size, lines=lines, now=timezone.now())
        return JsonResponse({"log": log, "size": size, "taken": taken})


class DisagreementsView(SessionlessView):
    """A witness's signed statement of disagreement."""

    http_method_names = ["post"]  # noqa: RUF012

    @extend_schema(**DISAGREEMENTS)
    def post(self, request: Request, log: str) -> JsonResponse:
        statement = _read_bounded_body(request._request)
        dissent = receive_dissent(log=log, statement=statement, now=timezone.now())
        return JsonResponse({"log": log, "entry": dissent.entry_index})


post_cosignatures = public(CosignaturesView.as_view())
post_disagreement = public(DisagreementsView.as_view())


def _read_bounded_body(request: HttpRequest) -> bytes:
    enforce_rate_limit(client_address(request), timezone.now(), what="witnesses")
    body = request.read(MAX_BODY_BYTES + 1)
    if len(body) > MAX_BODY_BYTES:
        raise BodyTooLong
    return body
