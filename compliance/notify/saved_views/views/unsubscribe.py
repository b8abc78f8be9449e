"""Unsubscribe link of an e-mail, without sign-in. GET changes nothing, because mail scanners follow links."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from compliance.core.web.access import public
from compliance.core.web.errors import NotFound
from compliance.notify.saved_views.models import Subscription
from compliance.notify.saved_views.services import unsubscribe_by_message
from compliance.notify.saved_views.subscriptions.emails import message_for_token


@public
@csrf_exempt  # Mail programs post it themselves (RFC 8058); the signed token identifies the message.
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe_by_link(request: HttpRequest, token: str) -> HttpResponse:
    message = message_for_token(token)
    if message is None:
        raise NotFound
    if request.method == "POST":
        unsubscribe_by_message(message=message, now=timezone.now())
    running = Subscription.objects.active().filter(parts__message=message).count()
    return render(request, "saved_views/unsubscribe.html", {"running": running})
