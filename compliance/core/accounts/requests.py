"""What a view can rely on, once the middleware has let the request through."""

from datetime import datetime

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from compliance.core.accounts.models import Casino, User


class PersonRequest(HttpRequest):
    """Signed in, with a second factor where one is needed; for `passing` views the password is enough."""

    user: User
    htmx: HtmxDetails
    session_ends_at: datetime
    # Whether the organisation must still be asked.
    is_held_back: bool


class CasinoRequest(PersonRequest):
    """And holds one of the view's roles at the casino that the address names."""

    casino: Casino
