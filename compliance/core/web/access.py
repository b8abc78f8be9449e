"""Access rules: a decorator on each view says who may open it. A view without a rule is closed and fails the system
check. Roles are plain strings here; accounts.auth.middleware.AccessMiddleware knows what they mean and enforces the
rules."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from django.core.checks import CheckMessage, Error
from django.urls import URLPattern, URLResolver, get_resolver

ViewFunction = TypeVar("ViewFunction", bound=Callable[..., Any])


@dataclass(frozen=True)
class AccessRule:
    """Who may open a view. `public`: anyone. `passing`: password given, second factor still missing. `signed-in`:
    anyone signed in. `roles`: holders of one of the roles, at the casino in the URL if it names one. `demo`: anyone,
    in the demo only."""

    kind: Literal["public", "passing", "signed-in", "roles", "demo"]
    roles: frozenset[str] = field(default_factory=frozenset)


def _access_decorator(rule: AccessRule) -> Callable[[ViewFunction], ViewFunction]:
    def decorate(view: ViewFunction) -> ViewFunction:
        view.access_rule = rule  # type: ignore[attr-defined]
        return view

    return decorate


public = _access_decorator(AccessRule("public"))
password_verified = _access_decorator(AccessRule("passing"))
signed_in = _access_decorator(AccessRule("signed-in"))
demo_only = _access_decorator(AccessRule("demo"))


def require_roles(*roles: str) -> Callable[[ViewFunction], ViewFunction]:
    return _access_decorator(AccessRule("roles", frozenset(roles)))


def access_rule_of(view: Callable[..., Any]) -> AccessRule | None:
    rule = getattr(view, "access_rule", None)
    return rule if isinstance(rule, AccessRule) else None


@dataclass(frozen=True)
class UrlRoute:
    """One URL pattern of the site: its route, its full name, its view."""

    route: str
    name: str
    view: Callable[..., Any]


def all_url_routes(resolver: URLResolver | None = None, route: str = "", namespace: str = "") -> list[UrlRoute]:
    routes: list[UrlRoute] = []
    for pattern in (resolver or get_resolver()).url_patterns:
        if isinstance(pattern, URLResolver):
            inner = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            routes += all_url_routes(pattern, route + str(pattern.pattern), inner)
        elif isinstance(pattern, URLPattern):
            routes.append(UrlRoute(route + str(pattern.pattern), f"{namespace}{pattern.name}", pattern.callback))
    return routes


def check_every_view_has_a_rule(**kwargs: Any) -> list[CheckMessage]:
    return [
        Error(
            f"The view behind /{url_route.route} has no access rule, so nobody can open it.",
            hint="Mark it with public, password_verified, signed_in, demo_only or require_roles(...) from "
            "compliance.core.web.access.",
            id="web.E001",
        )
        for url_route in all_url_routes()
        if access_rule_of(url_route.view) is None
    ]
