"""Who may withdraw a record: its author, or a superior of the author, both at the casino of the record."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from compliance.core.accounts.models import Casino, RoleAssignment, User
from compliance.core.accounts.roles import ALL_ROLES, GOVERNMENT_ROLES, Role
from compliance.core.corrections.registry import CorrectableRecord

# Administrators record nothing but accounts.
MAY_OPEN = ALL_ROLES - {Role.ADMINISTRATOR}
# By role: those who may withdraw what its holder recorded. No casino role may withdraw a record of the government.
SUPERIORS: Mapping[Role, frozenset[Role]] = {
    Role.GAMES_SUPERVISOR: frozenset({Role.CASINO_SUPERVISOR, Role.SHIFT_MANAGER, Role.COMPLIANCE_OFFICER}),
    Role.CASINO_SUPERVISOR: frozenset({Role.SHIFT_MANAGER, Role.COMPLIANCE_OFFICER}),
    Role.SHIFT_MANAGER: frozenset({Role.COMPLIANCE_OFFICER}),
    Role.MARKETING: frozenset({Role.COMPLIANCE_OFFICER}),
    Role.INSPECTOR: frozenset({Role.AUTHORITY_OFFICER}),
}


def superiors_of(roles: Iterable[str]) -> frozenset[Role]:
    return frozenset[Role]().union(*(SUPERIORS.get(Role(role), frozenset()) for role in roles))


def roles_by_person(casino: Casino, people: Collection[int]) -> dict[int, frozenset[str]]:
    """The roles that these people hold at the casino, from the database: one may have ended since the page was
    opened. One query."""
    held = RoleAssignment.objects.current().filter(casino=casino, user__in=people, user__is_active=True)
    found: dict[int, set[str]] = {person: set() for person in people}
    for person, role in held.values_list("user", "role"):
        found[person].add(role)
    return {person: frozenset(roles) for person, roles in found.items()}


def may_withdraw(
    record: CorrectableRecord, content: Mapping[str, Any], actor: User, roles: Mapping[int, frozenset[str]]
) -> bool:
    """`roles` are those of author and actor. An author must still hold a role that records such entries. Of somebody
    who left, the role that the entry states counts; where it states none, any role of its writers, unless they are of
    both sides: then nobody could say whose record it is."""
    author = record.author(content)
    if author is None and "origin" in content:
        # A display or a controller reported it.
        return False
    own = roles.get(actor.pk, frozenset())
    if actor.pk == author and own & record.writers:
        return True
    of_author = roles.get(author, frozenset()) & record.writers if author is not None else frozenset()
    stated = {str(content.get(member)) for member in ("role", "as")} & record.writers
    is_mixed = record.writers & GOVERNMENT_ROLES and record.writers - GOVERNMENT_ROLES
    return bool(own & superiors_of(of_author or stated or (frozenset() if is_mixed else record.writers)))
