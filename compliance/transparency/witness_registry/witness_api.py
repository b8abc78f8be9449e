"""API for witnesses. No sign-in: signatures are verified before anything is stored."""

from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from compliance.core.web.access import public
from compliance.core.web.http.client_address import client_address
from compliance.core.web.http.rate_limit import enforce_rate_limit
from compliance.transparency.witness_registry.errors import BodyTooLong, UnknownCheckpoint
from compliance.transparency.witness_registry.services import receive_cosignatures, receive_dissent
from rounds.transparency_log import tree

MAX_BODY_BYTES = 64 * 1024


@csrf_exempt
@public
@require_POST
def post_cosignatures(request: HttpRequest, log: str, size: int) -> JsonResponse:
    """Cosignature lines for the checkpoint of that size."""
    if size > tree.MAX_SIZE:
        raise UnknownCheckpoint
    taken = receive_cosignatures(log=log, size=size, lines=_read_bounded_body(request), now=timezone.now())
    return JsonResponse({"log": log, "size": size, "taken": taken})


@csrf_exempt
@public
@require_POST
def post_disagreement(request: HttpRequest, log: str) -> JsonResponse:
    """A witness's signed statement of disagreement."""
    dissent = receive_dissent(log=log, statement=_read_bounded_body(request), now=timezone.now())
    return JsonResponse({"log": log, "entry": dissent.entry_index})


def _read_bounded_body(request: HttpRequest) -> bytes:
    enforce_rate_limit(client_address(request), timezone.now(), what="witnesses")
    body = request.read(MAX_BODY_BYTES + 1)
    if len(body) > MAX_BODY_BYTES:
        raise BodyTooLong
    return body
