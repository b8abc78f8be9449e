"""Who may act at a table: whom the rule set means by its own words, and otherwise the house's supervisors."""

from datetime import datetime

from compliance.accounts.models import Casino, User
from compliance.accounts.roles import Role
from compliance.signs.errors import NotForYou
from rounds.engine.packs import Pack
from rounds.floor.models import Table
from rounds.floor.selectors import pack_for

# They stand at the tables: what they see of a sign they may say.
SUPERVISORS = frozenset({Role.CASINO_SUPERVISOR, Role.GAMES_SUPERVISOR, Role.SHIFT_MANAGER})
# Where a document does not say who may act.
HOUSE = frozenset({Role.CASINO_SUPERVISOR, Role.SHIFT_MANAGER})
MAY_SET_UP = SUPERVISORS | {Role.COMPLIANCE_OFFICER}


def acting_roles(pack: Pack | None, word: str | None) -> frozenset[Role]:
    """The product's roles behind a word of the document."""
    named = pack.roles.get(word) if pack and word else None
    return frozenset(map(Role, named.means)) if named else HOUSE


def require(actor: User, casino: Casino, roles: frozenset[Role], sentence: str = "") -> None:
    if not actor.still_holds(*roles, casino=casino):
        raise NotForYou(sentence)


def require_word(actor: User, table: Table, pack: Pack | None, word: str | None, clause: str) -> None:
    """Named with the clause, so that a person who is refused knows whom to ask."""
    roles = acting_roles(pack, word)
    who = " or ".join(role.label.lower() for role in Role if role in roles)
    by = f"Under clause {clause} this is for" if clause else "The rules name nobody; at this casino it is for"
    require(actor, table.casino, roles, f"{by} a {who}.")


def may_act(user: User, table: Table, word: str | None, now: datetime) -> bool:
    return user.holds(*acting_roles(pack_for(table, now), word), casino=table.casino)
