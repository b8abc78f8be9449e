"""Context processor: every template gets one variable, `page`."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from django.utils.functional import cached_property

from compliance.core.web import errors
from compliance.core.web.ui import navigation
from compliance.core.web.ui.banners import Banner, banners_for
from compliance.core.web.ui.navigation import NavGroup, NavLink

WARN_SECONDS = 120
SIGN_OUT = "accounts:sign-out"
SEARCH = "desk:search"


class PageContext:
    """Values of `page`. Computed lazily, so a page without a menu runs no query for roles."""

    def __init__(self, request: HttpRequest) -> None:
        self._request = request
        self.now = timezone.now()
        self.is_demo = bool(settings.DEMO)
        self.warn_seconds = WARN_SECONDS

    @cached_property
    def navigation(self) -> list[NavGroup]:
        return navigation.group_links(navigation.menu_links(self._request, "main"))

    @cached_property
    def banners(self) -> list[Banner]:
        return banners_for(self._request)

    @property
    def current_label(self) -> str:
        """The label of the current menu entry. Narrow screens show it on the closed menu."""
        return next((link.label for group in self.navigation for link in group.links if link.is_current), "")

    @cached_property
    def account_links(self) -> list[NavLink]:
        return navigation.menu_links(self._request, "account")

    @cached_property
    def footer_links(self) -> list[NavLink]:
        return navigation.menu_links(self._request, "footer")

    @property
    def search_url(self) -> str:
        """Empty for a person without roles: there is nothing they could search."""
        return _reverse_or_empty(SEARCH) if navigation.roles_of(self._request) else ""

    @cached_property
    def zones(self) -> list[ZoneInfo]:
        """The time zones of the person's casinos; UTC for everybody else."""
        zones = {casino.time_zone: casino.zone for casino in navigation.casinos_of(self._request)}
        return list(zones.values()) or [ZoneInfo("UTC")]

    @property
    def zone(self) -> ZoneInfo:
        return self.zones[0]

    @cached_property
    def session_ends_at(self) -> datetime | None:
        """When the session expires.
        SessionTimeoutMiddleware sets it on the request; without it, a full idle time from now."""
        user = getattr(self._request, "user", None)
        if user is None or not user.is_authenticated:
            return None
        known: datetime | None = getattr(self._request, "session_ends_at", None)
        return known or self.now + timedelta(seconds=settings.SESSION_IDLE_SECONDS)

    @property
    def session_seconds_left(self) -> int:
        return max(0, int((self.session_ends_at - self.now).total_seconds())) if self.session_ends_at else 0

    @property
    def request_id(self) -> str:
        return errors.request_id()

    @property
    def sign_out_url(self) -> str:
        return _reverse_or_empty(SIGN_OUT)

    @property
    def sign_in_url(self) -> str:
        return _reverse_or_empty(settings.LOGIN_URL)


def page(request: HttpRequest) -> dict[str, PageContext]:
    return {"page": PageContext(request)}


def _reverse_or_empty(name: str) -> str:
    try:
        return reverse(name)
    except NoReverseMatch:
        return ""
