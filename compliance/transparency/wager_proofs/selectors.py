"""Proofs of a casino, for users who may read its rounds; one proof by its code, for the holder of the sheet."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Q, QuerySet

from compliance.core.accounts.models import Casino, User
from compliance.core.web.errors import NotFound
from compliance.transparency.wager_proofs.errors import UnknownCode
from compliance.transparency.wager_proofs.models import Proof
from compliance.transparency.wager_proofs.services import normalize_code
from rounds.floor.permissions import MAY_READ


def proofs_of_casino(casino: Casino, chosen: Mapping[str, Any]) -> QuerySet[Proof]:
    proofs = Proof.objects.filter(casino=casino).select_related("casino", "withdrawal")
    if words := chosen.get("search"):
        proofs = proofs.filter(Q(round__icontains=words) | Q(wager__icontains=words) | Q(by_name__icontains=words))
    if chosen.get("state"):
        proofs = proofs.filter(withdrawal__isnull=chosen["state"] == "stands")
    return proofs


def access_proof(user: User, casino: Casino, number: int) -> Proof:
    proof = proofs_of_casino(casino, {}).filter(pk=number).first() if user.has_role(*MAY_READ, casino=casino) else None
    if proof is None:
        raise NotFound
    return proof


def proof_by_code(typed: str) -> Proof:
    """Unknown and withdrawn codes give the same error."""
    proof = Proof.objects.filter(code=normalize_code(typed[:100]), withdrawal=None).select_related("casino").first()
    if proof is None:
        raise UnknownCode
    return proof
