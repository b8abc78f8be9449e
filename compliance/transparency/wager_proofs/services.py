"""Services: make a proof for a patron, and withdraw it. Each is recorded as an entry with the person."""

import secrets
from datetime import datetime
from hashlib import sha256

from django.db import transaction

from compliance.core.accounts.models import User
from compliance.transparency.wager_proofs.entry_kinds import PROOF_MADE, PROOF_WITHDRAWN
from compliance.transparency.wager_proofs.errors import NoSuchWager, ProofAlreadyWithdrawn
from compliance.transparency.wager_proofs.models import Proof, Withdrawal
from compliance.transparency.wager_proofs.proof_file.build import build_proof_file
from compliance.transparency.wager_proofs.proof_file.service_statement import service_statement
from rounds.floor.permissions import MAY_READ, check_has_role
from rounds.intake.round_view import RoundView
from rounds.ledger import append, make_entry, write_row

# Without characters that are easily confused.
CODE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
GROUPS, GROUP_LETTERS = 4, 5


def generate_code() -> str:
    """A random code of 98 bits, in groups that can be read out."""
    return "-".join("".join(secrets.choice(CODE_ALPHABET) for _ in range(GROUP_LETTERS)) for _ in range(GROUPS))


def normalize_code(typed: str) -> str:
    """The stored form of a code, however it was typed."""
    letters = "".join(typed.upper().split()).replace("-", "")
    return "-".join(letters[start : start + GROUP_LETTERS] for start in range(0, len(letters), GROUP_LETTERS))


@transaction.atomic
def make_proof(*, round_view: RoundView, wager: str, actor: User, now: datetime) -> Proof:
    """Prove a wager of a round that the actor may read, from what is stored now."""
    check_has_role(actor, round_view.casino, MAY_READ)
    if round_view.played is None or wager not in {one.id for one in round_view.played.wagers}:
        raise NoSuchWager
    content = build_proof_file(round_view.entry, wager, service_statement(round_view, wager))
    proof = Proof(
        casino=round_view.casino,
        round_index=round_view.entry.index,
        round=round_view.played.round,
        table=round_view.entry.table or "",
        wager=wager,
        code=generate_code(),
        content=content,
        content_sha256=sha256(content).hexdigest(),
        by=actor,
        by_name=actor.name,
        at=now,
    )
    return write_row(proof, kind=PROOF_MADE, log=round_view.casino.slug, table=round_view.entry.table, now=now)


@transaction.atomic
def withdraw_proof(*, proof: Proof, reason: str, actor: User, now: datetime) -> Withdrawal:
    check_has_role(actor, proof.casino, MAY_READ)
    withdrawal = Withdrawal(proof=proof, reason=reason, by=actor, by_name=actor.name, at=now)
    [receipt] = append(
        proof.casino.slug, [make_entry(PROOF_WITHDRAWN, withdrawal.entry_body(), table=proof.table or None)], now
    )
    # Checked while the log is locked: of two concurrent withdrawals the second one sees the first.
    if Withdrawal.objects.filter(proof=proof).exists():
        raise ProofAlreadyWithdrawn
    withdrawal.log, withdrawal.entry_index = receipt.log, receipt.index
    withdrawal.save(force_insert=True)
    return withdrawal
