"""Request types: what a view can rely on once the middleware has let the request through."""

from datetime import datetime

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from compliance.core.accounts.models import Casino, User


class PersonRequest(HttpRequest):
    """Signed in, with the second factor where one is needed; for `passing` views the password is enough."""

    user: User
    htmx: HtmxDetails
    session_ends_at: datetime
    # Whether the person must still sign in by their organisation's provider.
    is_held_back: bool


class CasinoRequest(PersonRequest):
    """The person also holds one of the view's roles at the casino in the URL."""

    casino: Casino
