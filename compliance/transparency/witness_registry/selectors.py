"""Who may see and register witnesses, and the cosignature lines of a checkpoint."""

from django.db.models import QuerySet

from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import GOVERNMENT_ROLES, Role
from compliance.core.web.errors import NotFound
from compliance.transparency.witness_registry.models import Cosignature, Dissent, Witness

# Separation of duties: a casino must not choose its own witnesses.
MAY_REGISTER = GOVERNMENT_ROLES
MAY_SEE = GOVERNMENT_ROLES | {
    Role.COMPLIANCE_OFFICER,
    Role.CASINO_SUPERVISOR,
    Role.GAMES_SUPERVISOR,
    Role.SHIFT_MANAGER,
}


def witnesses_of(casino: Casino) -> QuerySet[Witness]:
    return Witness.objects.filter(casino=casino).select_related("casino", "end")


def active_witnesses(log: Casino | str) -> QuerySet[Witness]:
    slug = log if isinstance(log, str) else log.slug
    return Witness.objects.filter(casino__slug=slug, end=None).select_related("casino")


def all_active_witnesses() -> QuerySet[Witness]:
    """The active witnesses of all logs; public."""
    return Witness.objects.filter(end=None).select_related("casino").order_by("casino__slug", "name", "pk")


def dissents_of(casino: Casino) -> QuerySet[Dissent]:
    return Dissent.objects.filter(witness__casino=casino).select_related("witness")


def cosignature_lines(log: str, size: int) -> bytes:
    """The cosignature lines of active witnesses, to be appended to the checkpoint of that size."""
    lines = Cosignature.objects.filter(witness__casino__slug=log, witness__end=None, size=size)
    return "".join(lines.order_by("witness__name").values_list("line", flat=True)).encode()


def access_witness(user: User, casino: Casino, number: int) -> Witness:
    witness = witnesses_of(casino).filter(pk=number).first() if user.has_role(*MAY_REGISTER, casino=casino) else None
    if witness is None:
        raise NotFound
    return witness


def access_dissent(user: User, casino: Casino, number: int) -> Dissent:
    dissent = dissents_of(casino).filter(pk=number).first() if user.has_role(*MAY_SEE, casino=casino) else None
    if dissent is None:
        raise NotFound
    return dissent
