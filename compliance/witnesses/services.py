"""Registering and ending witnesses, and taking what they post. Only a registered key's valid signature is stored."""

from contextlib import suppress
from datetime import UTC, datetime

from django.db import transaction

from compliance.accounts.models import Casino, User
from compliance.accounts.roles import Role
from compliance.accounts.services.roles import lock_casinos
from compliance.alerts.models import Alert
from compliance.alerts.services import raise_alert
from compliance.web.errors import NotFound
from compliance.witnesses.errors import (
    BadWitnessKey,
    EndedAlready,
    NoWitnessSigned,
    RegisteredAlready,
    TooManyWitnesses,
    UnknownCheckpoint,
)
from compliance.witnesses.kinds import DISAGREED, ENDED, REGISTERED
from compliance.witnesses.models import Cosignature, Dissent, Witness, WitnessEnd
from compliance.witnesses.selectors import MAY_REGISTER, active_witnesses
from compliance.witnesses.standing import Standing, standing_of
from rounds.ledger.cosignatures import REASONS, Cosigned, Disagreement, WitnessKey, cosignatures_of
from rounds.ledger.errors import LedgerError, NoteError
from rounds.ledger.halting import hand_in_checkpoint
from rounds.ledger.names import are_of_one_log
from rounds.ledger.notes import unverified_head
from rounds.ledger.origins import origin_of
from rounds.ledger.proving import note_at
from rounds.ledger.read_only import read_only_logs
from rounds.ledger.rows import write_row
from rounds.ledger.stored import UnknownLog

MOST_WITNESSES = 16
DUTY_DISAGREES = "witness-disagrees"
DUTY_BEHIND = "witness-behind"
TOLD = (Role.INSPECTOR, Role.COMPLIANCE_OFFICER)
# No rule document speaks of witnesses: that somebody outside must be able to follow is a rule of the service.
OWN_RULE = "the service's own rule for witnesses"


@transaction.atomic
def register_witness(*, casino: Casino, key: str, actor: User, now: datetime) -> Witness:
    require_registrar(actor, casino)
    try:
        parsed = WitnessKey.parse(key.strip())
    except NoteError as error:
        raise BadWitnessKey(error.sentence) from error
    lock_casinos({casino.pk})
    same_log = Witness.objects.filter(casino=casino)
    if same_log.filter(key=str(parsed)).exists() or same_log.filter(name=parsed.name).exists():
        raise RegisteredAlready
    if active_witnesses(casino).count() >= MOST_WITNESSES:
        raise TooManyWitnesses(f"{MOST_WITNESSES} watch this log already.")
    witness = Witness(casino=casino, name=parsed.name, key=str(parsed), by=actor, by_name=actor.name, at=now)
    return write_row(witness, kind=REGISTERED, log=casino.slug, now=now)


@transaction.atomic
def end_witness(*, witness: Witness, reason: str, actor: User, now: datetime) -> WitnessEnd:
    require_registrar(actor, witness.casino)
    lock_casinos({witness.casino_id})
    if WitnessEnd.objects.filter(witness=witness).exists():
        raise EndedAlready
    end = WitnessEnd(witness=witness, reason=reason, by=actor, by_name=actor.name, at=now)
    return write_row(end, kind=ENDED, log=witness.casino.slug, now=now)


def require_registrar(actor: User, casino: Casino) -> None:
    if not actor.holds(*MAY_REGISTER, casino=casino):
        raise NotFound


def take_cosignatures(*, log: str, size: int, lines: bytes, now: datetime) -> int:
    """How many registered witnesses' lines there were; what was taken before is not taken twice."""
    try:
        note = note_at(log, size)
    except UnknownLog as error:
        raise UnknownCheckpoint from error
    if note is None:
        raise UnknownCheckpoint
    found = _cosigned(log, note + lines)
    if not found:
        raise NoWitnessSigned
    Cosignature.objects.bulk_create(
        [
            Cosignature(
                witness=witness, size=size, line=cosigned.line, cosigned_at=instant(cosigned.at), received_at=now
            )
            for witness, cosigned in found
        ],
        ignore_conflicts=True,
    )
    return len(found)


def _cosigned(log: str, note: bytes) -> list[tuple[Witness, Cosigned]]:
    known = {witness.parsed_key: witness for witness in active_witnesses(log)}
    try:
        return [(known[cosigned.key], cosigned) for cosigned in cosignatures_of(note, list(known))]
    except NoteError as error:
        raise NoWitnessSigned(error.sentence) from error


def instant(at: int) -> datetime:
    """A witness's clock is its own: one that is off by ages is held to what can be stored."""
    return datetime.fromtimestamp(min(at, 32_503_680_000), UTC)


def take_dissent(*, log: str, statement: bytes, now: datetime) -> Dissent:
    """Kept, recorded, and told to the inspector and the compliance officer; the same statement again changes nothing.

    Which keys signed the two checkpoints does not matter: a thief may have changed the log's key too. If the one that
    the witness keeps is our own, the log is held to it, also where it is read-only and cannot take the statement yet.
    """
    try:
        return _record_dissent(log, statement, now)
    finally:
        _hold_to(log, statement, now)


def _hold_to(log: str, statement: bytes, now: datetime) -> None:
    """After the statement is recorded: a log that lost what the witness keeps takes nothing more."""
    with suppress(NoWitnessSigned, LedgerError):
        hand_in_checkpoint(log=log, note=_opened(log, statement)[1].kept, now=now)


def _record_dissent(log: str, statement: bytes, now: datetime) -> Dissent:
    with transaction.atomic():
        witness, said = _opened(log, statement)
        kept, offered = unverified_head(said.kept), unverified_head(said.offered)
        if kept is None or offered is None or not are_of_one_log(said.origin, origin_of(log)):
            raise NoWitnessSigned("The statement is not about two checkpoints of this log.")
        lock_casinos({witness.casino_id})
        about = {"witness": witness, "reason": said.reason, "kept_size": kept.size, "kept_root": kept.root.hex()}
        before = Dissent.objects.filter(**about).first()
        if before is not None:
            return before
        dissent = Dissent(
            **about, offered_size=offered.size, offered_root=offered.root.hex(), stated_at=instant(said.at),
            statement=statement.decode(), received_at=now,
        )  # fmt: skip
        raise_alert(
            casino=witness.casino, duty=DUTY_DISAGREES, to=TOLD, clause=OWN_RULE, now=now,
            statement=f"The witness {witness.name} disagrees with the log. {REASONS[said.reason]}",
            fact_at=min(dissent.stated_at, now),
        )  # fmt: skip
        return write_row(dissent, kind=DISAGREED, log=log, now=now)


def _opened(log: str, statement: bytes) -> tuple[Witness, Disagreement]:
    for witness in active_witnesses(log):
        try:
            return witness, Disagreement.open(statement, witness.parsed_key)
        except NoteError:
            continue
    raise NoWitnessSigned


def tell_of_the_silent(now: datetime) -> int:
    """An alert for each witness that fell behind, once for each size at which it stopped. How many there were."""
    told = 0
    recording = Witness.objects.exclude(casino__slug__in=read_only_logs())
    for witness in recording.filter(end=None).select_related("casino"):
        standing = standing_of(witness, now)
        if standing.state is Standing.BEHIND and _tell(witness, standing.size, now):
            told += 1
    return told


@transaction.atomic
def _tell(witness: Witness, size: int, now: datetime) -> bool:
    lock_casinos({witness.casino_id})
    since = f"It cosigned {size:,} entries last." if size else "It has not cosigned anything yet."
    statement = f"The witness {witness.name} fell behind. {since}"
    if Alert.objects.filter(casino=witness.casino, duty=DUTY_BEHIND, statement=statement).exists():
        return False
    raise_alert(
        casino=witness.casino, duty=DUTY_BEHIND, to=TOLD, statement=statement, clause=OWN_RULE, now=now,
        immediately=False,
    )  # fmt: skip
    return True
