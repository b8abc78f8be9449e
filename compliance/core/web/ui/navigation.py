"""Registry of menu items.
Apps register them in AppConfig.ready; a person sees the items whose view their roles open."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from django.conf import settings
from django.core.checks import CheckMessage, Error
from django.http import HttpRequest
from django.urls import reverse

from compliance.core.web.access import AccessRule, UrlRoute, access_rule_of, all_url_routes
from compliance.core.web.ui.links import casino_url

MenuArea = Literal["main", "account", "footer"]
Group = Literal["now", "records", "evidence", "rules", "set-up"]
# In the order of the page: what is needed on the floor comes first.
GROUPS: dict[Group, str] = {
    "now": "Now",
    "records": "Records",
    "evidence": "Evidence",
    "rules": "Rules",
    "set-up": "Set-up",
}
# Longer menus are shown in groups.
MAX_UNGROUPED = 6
CASINO_IN_ROUTE = re.compile(r"<(?:\w+:)?casino>")


@dataclass(frozen=True)
class NavItem:
    """A menu item. If its route contains a casino, there is one link for each casino at which the person may open it.
    `covers` is a pattern of further paths that belong to the item without lying below its URL."""

    label: str
    url_name: str
    order: int
    place: MenuArea = "main"
    covers: str = "^$"
    group: Group = "now"


@dataclass(frozen=True)
class NavLink:
    label: str
    url: str
    is_current: bool
    group: Group = "now"


@dataclass(frozen=True)
class NavGroup:
    """Links under a heading; a short menu is one group without heading."""

    heading: str
    links: list[NavLink]


_items: set[NavItem] = set()


def register_items(*items: NavItem) -> None:
    _items.update(items)


def menu_links(request: HttpRequest, place: MenuArea) -> list[NavLink]:
    """The links of one menu area for this person, in order."""
    items = sorted((item for item in _items if item.place == place), key=lambda item: (item.order, item.label))
    visitor = _visitor_of(request)
    entries = [(item, label, url) for item in items for label, url in _item_links(item, visitor)]
    covering = [url for item, _, url in entries if re.match(item.covers, request.path)]
    current = covering[0] if covering else _current_url(request.path, [url for _, _, url in entries])
    return [NavLink(label, url, url == current, item.group) for item, label, url in entries]


def group_links(found: list[NavLink]) -> list[NavGroup]:
    """Groups a long menu under headings; a short one stays as it is."""
    if len(found) <= MAX_UNGROUPED:
        return [NavGroup("", found)] if found else []
    groups = [NavGroup(heading, [link for link in found if link.group == group]) for group, heading in GROUPS.items()]
    return [group for group in groups if group.links]


class Visitor(NamedTuple):
    """The person a menu is built for, looked up once for all items."""

    is_signed_in: bool
    roles: list[Any]

    def may_enter(self, rule: AccessRule) -> bool:
        if rule.kind == "public":
            return True
        if rule.kind == "demo":
            return bool(settings.DEMO)
        if rule.kind == "passing" or not self.is_signed_in:
            return False
        return rule.kind == "signed-in" or any(held.role in rule.roles for held in self.roles)

    def casinos_admitted_by(self, rule: AccessRule) -> list[Any]:
        fitting = {
            held.casino.slug: held.casino for held in self.roles if rule.kind != "roles" or held.role in rule.roles
        }
        return sorted(fitting.values(), key=lambda casino: str(casino.name))


def _visitor_of(request: HttpRequest) -> Visitor:
    return Visitor(_is_signed_in(request), roles_of(request))


def roles_of(request: HttpRequest) -> list[Any]:
    """The roles of the person: objects with `role` and `casino`.
    Empty if not signed in, or before the second factor."""
    return list(request.user.roles_now()) if _is_signed_in(request) else []  # type: ignore[union-attr]


def casinos_of(request: HttpRequest) -> list[Any]:
    return list({held.casino.slug: held.casino for held in roles_of(request)}.values())


def _is_signed_in(request: HttpRequest) -> bool:
    """Whether sign-in is complete: a person who still lacks the second factor gets no menu."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated or getattr(request, "is_held_back", False):
        return False
    return user.is_verified() or not (user.needs_second_factor or _has_second_factor(request, user))


def _has_second_factor(request: HttpRequest, user: Any) -> bool:
    """Cached on the request, because every menu item needs it."""
    known: bool | None = getattr(request, "has_second_factor", None)
    if known is None:
        known = bool(user.has_second_factor)
        request.has_second_factor = known  # type: ignore[attr-defined]
    return known


def _item_links(item: NavItem, visitor: Visitor) -> Iterator[tuple[str, str]]:
    address = _routes_by_name(settings.ROOT_URLCONF).get(item.url_name)
    rule = access_rule_of(address.view) if address else None
    if address is None or rule is None or not visitor.may_enter(rule):
        return
    if not CASINO_IN_ROUTE.search(address.route):
        yield item.label, reverse(item.url_name)
        return
    casinos = visitor.casinos_admitted_by(rule)
    for casino in casinos:
        label = item.label if len(casinos) == 1 else f"{item.label}, {casino.name}"
        yield label, casino_url(item.url_name, casino)


def _current_url(path: str, urls: list[str]) -> str | None:
    """The most specific link above the page. The root only matches itself."""
    above = [url for url in urls if path == url or (url != "/" and path.startswith(url))]
    return max(above, key=len, default=None)


def check_every_item_has_a_view(**kwargs: Any) -> list[CheckMessage]:
    known = _routes_by_name(settings.ROOT_URLCONF)
    return [
        Error(
            f"The menu item “{item.label}” leads to {item.url_name}, which is no address of this site.",
            hint="Correct the name given to compliance.core.web.ui.navigation.register_items.",
            id="web.E002",
        )
        for item in _items
        if item.url_name not in known
    ]


@lru_cache(maxsize=4)
def _routes_by_name(urlconf: str) -> dict[str, UrlRoute]:
    return {address.name: address for address in all_url_routes()}
