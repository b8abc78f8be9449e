"""Who may open a view. Every view carries exactly one rule; a view without a rule is closed and fails the checks.

Roles are plain texts here: the accounts app knows what they mean and enforces the rules (AccessMiddleware).
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from django.core.checks import CheckMessage, Error
from django.urls import URLPattern, URLResolver, get_resolver

View = TypeVar("View", bound=Callable[..., Any])


@dataclass(frozen=True)
class AccessRule:
    """`public`: anyone. `passing`: password given, second factor still to come. `signed-in`: anyone signed in.
    `roles`: whoever holds one of them, at the casino the address names if it names one. `demo`: anyone, demo only."""

    kind: Literal["public", "passing", "signed-in", "roles", "demo"]
    roles: frozenset[str] = field(default_factory=frozenset)


def _marks(rule: AccessRule) -> Callable[[View], View]:
    def mark(view: View) -> View:
        view.access_rule = rule  # type: ignore[attr-defined]
        return view

    return mark


public = _marks(AccessRule("public"))
passing = _marks(AccessRule("passing"))
signed_in = _marks(AccessRule("signed-in"))
demo_only = _marks(AccessRule("demo"))


def held_by(*roles: str) -> Callable[[View], View]:
    return _marks(AccessRule("roles", frozenset(roles)))


def rule_of(view: Callable[..., Any]) -> AccessRule | None:
    rule = getattr(view, "access_rule", None)
    return rule if isinstance(rule, AccessRule) else None


@dataclass(frozen=True)
class Address:
    """One URL pattern of the site: its route, its full name, its view."""

    route: str
    name: str
    view: Callable[..., Any]


def every_address(resolver: URLResolver | None = None, route: str = "", namespace: str = "") -> list[Address]:
    found: list[Address] = []
    for pattern in (resolver or get_resolver()).url_patterns:
        if isinstance(pattern, URLResolver):
            inner = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            found += every_address(pattern, route + str(pattern.pattern), inner)
        elif isinstance(pattern, URLPattern):
            found.append(Address(route + str(pattern.pattern), f"{namespace}{pattern.name}", pattern.callback))
    return found


def check_every_view_has_a_rule(**kwargs: Any) -> list[CheckMessage]:
    return [
        Error(
            f"The view behind /{address.route} has no access rule, so nobody can open it.",
            hint="Mark it with public, passing, signed_in, demo_only or held_by(...) from compliance.web.access.",
            id="web.E001",
        )
        for address in every_address()
        if rule_of(address.view) is None
    ]
