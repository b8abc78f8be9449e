"""Response when sign-in is locked after too many failures (settings.AXES_LOCKOUT_CALLABLE)."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from compliance.core.web.errors import TooMany, refusal_response


class SignInLocked(TooMany):
    code = "sign-in-locked"
    title = "Sign-in is locked for a while"
    detail = "There were too many wrong passwords or codes."


def locked_out(request: HttpRequest, response: HttpResponse | None, credentials: Any) -> HttpResponse:
    minutes = int(settings.AXES_COOLOFF_TIME.total_seconds() // 60)
    refusal = SignInLocked(
        f"There were {settings.AXES_FAILURE_LIMIT} wrong passwords or codes for this e-mail address from your network.",
        remedy=f"Wait {minutes} minutes without trying: each attempt starts the time again. "
        "An administrator of your casino can unlock it sooner.",
        headers={"Retry-After": str(minutes * 60)},
    )
    return refusal_response(request, refusal)
