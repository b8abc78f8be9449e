"""Where witnesses post. No sign-in: what counts is the signature, checked before anything is stored."""

from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from compliance.accounts.identity import client_address
from compliance.web.access import public
from compliance.web.throttle import count_request
from compliance.witnesses.errors import TooLong, UnknownCheckpoint
from compliance.witnesses.services import take_cosignatures, take_dissent
from rounds.ledger.merkle import MAX_SIZE

MAX_BODY_BYTES = 64 * 1024


@csrf_exempt
@public
@require_POST
def cosignatures(request: HttpRequest, log: str, size: int) -> JsonResponse:
    """Signature lines of witnesses, on the checkpoint of that size."""
    if size > MAX_SIZE:
        raise UnknownCheckpoint
    taken = take_cosignatures(log=log, size=size, lines=_body(request), now=timezone.now())
    return JsonResponse({"log": log, "size": size, "taken": taken})


@csrf_exempt
@public
@require_POST
def disagreements(request: HttpRequest, log: str) -> JsonResponse:
    """A witness's signed statement of disagreement."""
    dissent = take_dissent(log=log, statement=_body(request), now=timezone.now())
    return JsonResponse({"log": log, "entry": dissent.entry_index})


def _body(request: HttpRequest) -> bytes:
    count_request(client_address(request), timezone.now(), what="witnesses")
    body = request.read(MAX_BODY_BYTES + 1)
    if len(body) > MAX_BODY_BYTES:
        raise TooLong
    return body
