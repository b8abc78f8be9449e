"""Roles that may act at a table: those of the job title that the rule pack names, otherwise the casino's
supervisors."""

from datetime import datetime

from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import Role
from compliance.tables.signs.errors import RoleRequired
from rounds.engine import Pack
from rounds.floor.models import Table
from rounds.floor.selectors import pack_for

# They are at the tables, so they may state whether a sign is up.
SUPERVISORS = frozenset({Role.CASINO_SUPERVISOR, Role.GAMES_SUPERVISOR, Role.SHIFT_MANAGER})
# For acts for which the rule pack names no job title.
DEFAULT_ROLES = frozenset({Role.CASINO_SUPERVISOR, Role.SHIFT_MANAGER})
MAY_MANAGE_DISPLAYS = SUPERVISORS | {Role.COMPLIANCE_OFFICER}


def roles_for_title(pack: Pack | None, job_title: str | None) -> frozenset[Role]:
    """The roles that a job title in the rule pack maps to."""
    named = pack.roles.get(job_title) if pack and job_title else None
    return frozenset(map(Role, named.means)) if named else DEFAULT_ROLES


def check_roles(actor: User, casino: Casino, roles: frozenset[Role], sentence: str = "") -> None:
    if not actor.has_role_in_database(*roles, casino=casino):
        raise RoleRequired(sentence)


def check_rule_role(actor: User, table: Table, pack: Pack | None, job_title: str | None, clause: str) -> None:
    """The refusal names the job title and the clause, so that a refused person knows whom to ask."""
    roles = roles_for_title(pack, job_title)
    who = " or ".join(role.label.lower() for role in Role if role in roles)
    by = f"Under clause {clause} this is for" if clause else "The rules name nobody; at this casino it is for"
    check_roles(actor, table.casino, roles, f"{by} a {who}.")


def may_act(user: User, table: Table, job_title: str | None, now: datetime) -> bool:
    return user.has_role(*roles_for_title(pack_for(table, now), job_title), casino=table.casino)
