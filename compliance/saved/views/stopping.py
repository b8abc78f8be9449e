"""The link in an e-mail by which it stops, without signing in. To look at it changes nothing: programs follow links."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from compliance.saved.letters import message_of
from compliance.saved.models import Subscription
from compliance.saved.services import stop_telling
from compliance.web.access import public
from compliance.web.errors import NotFound


@public
@csrf_exempt  # Mail programs post it themselves (RFC 8058); the signed address says whose message it was.
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def stop(request: HttpRequest, token: str) -> HttpResponse:
    message = message_of(token)
    if message is None:
        raise NotFound
    if request.method == "POST":
        stop_telling(message=message, now=timezone.now())
    running = Subscription.objects.running().filter(parts__message=message).count()
    return render(request, "saved/stop.html", {"running": running})
