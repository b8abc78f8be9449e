"""Making a proof for a patron, and withdrawing it. Each is an entry that says who did it."""

import secrets
from datetime import datetime
from hashlib import sha256

from django.db import transaction

from compliance.accounts.models import User
from compliance.proofs.errors import NoSuchWager, WithdrawnAlready
from compliance.proofs.kinds import MADE, WITHDRAWN
from compliance.proofs.models import Proof, Withdrawal
from compliance.proofs.proving import proof_of
from compliance.proofs.settling import stated
from rounds.floor.standing import MAY_READ, require
from rounds.intake.played import PlayedRound
from rounds.ledger.appending import append, record
from rounds.ledger.rows import write_row

# Easy to type: none of them is taken for another.
LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
GROUPS, GROUP_LETTERS = 4, 5


def new_code() -> str:
    """98 bits of chance, in groups that can be read out."""
    return "-".join("".join(secrets.choice(LETTERS) for _ in range(GROUP_LETTERS)) for _ in range(GROUPS))


def typed_code(typed: str) -> str:
    """As it is kept, however it was typed."""
    letters = "".join(typed.upper().split()).replace("-", "")
    return "-".join(letters[start : start + GROUP_LETTERS] for start in range(0, len(letters), GROUP_LETTERS))


@transaction.atomic
def make_proof(*, read: PlayedRound, wager: str, actor: User, now: datetime) -> Proof:
    """The wager of a round that the actor may read, proved from what is stored now."""
    require(actor, read.casino, MAY_READ)
    if read.played is None or wager not in {one.id for one in read.played.wagers}:
        raise NoSuchWager
    content = proof_of(read.entry, wager, stated(read, wager))
    proof = Proof(
        casino=read.casino, round_index=read.entry.index, round=read.played.round, table=read.entry.table or "",
        wager=wager, code=new_code(), content=content, content_sha256=sha256(content).hexdigest(), by=actor,
        by_name=actor.name, at=now,
    )  # fmt: skip
    return write_row(proof, kind=MADE, log=read.casino.slug, table=read.entry.table, now=now)


@transaction.atomic
def withdraw_proof(*, proof: Proof, reason: str, actor: User, now: datetime) -> Withdrawal:
    require(actor, proof.casino, MAY_READ)
    withdrawal = Withdrawal(proof=proof, reason=reason, by=actor, by_name=actor.name, at=now)
    [receipt] = append(proof.casino.slug, [record(WITHDRAWN, withdrawal.as_record(), table=proof.table or None)], now)
    # Asked with the log's lock held: of two who withdraw at once, the second comes here after the first.
    if Withdrawal.objects.filter(proof=proof).exists():
        raise WithdrawnAlready
    withdrawal.log, withdrawal.entry_index = receipt.log, receipt.index
    withdrawal.save(force_insert=True)
    return withdrawal
