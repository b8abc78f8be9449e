"""With whom a view can be shared: people with the same role at the same casino.
Sharing gives nobody access to a list."""

from collections.abc import Iterable

from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import GOVERNMENT_ROLES, Role

INSPECTORATE = "inspectorate"


def _audience_label(role: Role) -> str:
    return f"Everybody with the role {role.label}"


# Inspectors and authority officers form one audience; every other role is its own.
AUDIENCES: dict[str, tuple[str, frozenset[str]]] = {
    INSPECTORATE: ("The inspectorate", frozenset(role.value for role in GOVERNMENT_ROLES)),
    **{role.value: (_audience_label(role), frozenset({role.value})) for role in Role if role not in GOVERNMENT_ROLES},
}
CHOICES = [(name, words) for name, (words, _) in AUDIENCES.items()]


def audiences_of(person: User, casino: Casino) -> list[str]:
    """Audiences that the person belongs to at this casino."""
    return list(_audiences_of_roles(held.role for held in person.roles_now() if held.casino == casino))


def _audiences_of_roles(roles: Iterable[str]) -> Iterable[str]:
    held = set(roles)
    return (name for name, (_, needed) in AUDIENCES.items() if held & needed)
