"""Services: register and end witnesses, and store what they post.

Only valid signatures of registered keys are stored.
"""

from contextlib import suppress
from datetime import UTC, datetime

from django.db import transaction

from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import Role
from compliance.core.accounts.services.roles import lock_casinos
from compliance.core.web.errors import NotFound
from compliance.notify.alerts.models import Alert
from compliance.notify.alerts.services import raise_alert
from compliance.transparency.witness_registry.entry_kinds import WITNESS_DISAGREED, WITNESS_ENDED, WITNESS_REGISTERED
from compliance.transparency.witness_registry.errors import (
    InvalidWitnessKey,
    NoWitnessSigned,
    TooManyWitnesses,
    UnknownCheckpoint,
    WitnessAlreadyEnded,
    WitnessAlreadyRegistered,
)
from compliance.transparency.witness_registry.models import Cosignature, Dissent, Witness, WitnessEnd
from compliance.transparency.witness_registry.selectors import MAY_REGISTER, active_witnesses
from compliance.transparency.witness_registry.witness_status import AgreementState, load_witness_status
from rounds.ledger import maintenance, proofs, read_only_log_slugs, signing, storage, write_row
from rounds.transparency_log import errors, formats
from rounds.transparency_log.errors import LedgerError

MAX_WITNESSES = 16
DUTY_DISAGREES = "witness-disagrees"
DUTY_BEHIND = "witness-behind"
ALERTED_ROLES = (Role.INSPECTOR, Role.COMPLIANCE_OFFICER)
# No rule document mentions witnesses: that outsiders can follow the log is a rule of the service itself.
SERVICE_RULE = "the service's own rule for witnesses"


@transaction.atomic
def register_witness(*, casino: Casino, key: str, actor: User, now: datetime) -> Witness:
    require_registrar(actor, casino)
    try:
        parsed = formats.WitnessKey.parse(key.strip())
    except errors.NoteError as error:
        raise InvalidWitnessKey(error.sentence) from error
    lock_casinos({casino.pk})
    same_log = Witness.objects.filter(casino=casino)
    if same_log.filter(key=str(parsed)).exists() or same_log.filter(name=parsed.name).exists():
        raise WitnessAlreadyRegistered
    if active_witnesses(casino).count() >= MAX_WITNESSES:
        raise TooManyWitnesses(f"{MAX_WITNESSES} watch this log already.")
    witness = Witness(casino=casino, name=parsed.name, key=str(parsed), by=actor, by_name=actor.name, at=now)
    return write_row(witness, kind=WITNESS_REGISTERED, log=casino.slug, now=now)


@transaction.atomic
def end_witness(*, witness: Witness, reason: str, actor: User, now: datetime) -> WitnessEnd:
    require_registrar(actor, witness.casino)
    lock_casinos({witness.casino_id})
    if WitnessEnd.objects.filter(witness=witness).exists():
        raise WitnessAlreadyEnded
    end = WitnessEnd(witness=witness, reason=reason, by=actor, by_name=actor.name, at=now)
    return write_row(end, kind=WITNESS_ENDED, log=witness.casino.slug, now=now)


def require_registrar(actor: User, casino: Casino) -> None:
    if not actor.has_role(*MAY_REGISTER, casino=casino):
        raise NotFound


def receive_cosignatures(*, log: str, size: int, lines: bytes, now: datetime) -> int:
    """Store new cosignatures. Idempotent. Returns how many lines were by registered witnesses."""
    try:
        note = proofs.checkpoint_note_at(log, size)
    except storage.UnknownLog as error:
        raise UnknownCheckpoint from error
    if note is None:
        raise UnknownCheckpoint
    verified = _verify_cosignatures(log, note + lines)
    if not verified:
        raise NoWitnessSigned
    Cosignature.objects.bulk_create(
        [
            Cosignature(
                witness=witness,
                size=size,
                line=cosigned.line,
                cosigned_at=timestamp_from_seconds(cosigned.at),
                received_at=now,
            )
            for witness, cosigned in verified
        ],
        ignore_conflicts=True,
    )
    return len(verified)


def _verify_cosignatures(log: str, note: bytes) -> list[tuple[Witness, formats.VerifiedCosignature]]:
    known = {witness.parsed_key: witness for witness in active_witnesses(log)}
    try:
        return [(known[cosigned.key], cosigned) for cosigned in formats.verified_cosignatures(note, list(known))]
    except errors.NoteError as error:
        raise NoWitnessSigned(error.sentence) from error


def timestamp_from_seconds(at: int) -> datetime:
    """A witness's clock may be far off: clamped to what can be stored."""
    return datetime.fromtimestamp(min(at, 32_503_680_000), UTC)


def receive_dissent(*, log: str, statement: bytes, now: datetime) -> Dissent:
    """Store and record the statement, and alert the inspector and the compliance officer. Idempotent.

    It does not matter which keys signed the two checkpoints: an attacker may have replaced the log's key. If the log
    signed the checkpoint that the witness kept, the log is compared with it, even if it is read-only and cannot record
    the statement yet.
    """
    try:
        return _record_dissent(log, statement, now)
    finally:
        _halt_if_log_lost_entries(log, statement, now)


def _halt_if_log_lost_entries(log: str, statement: bytes, now: datetime) -> None:
    """Halt a log that no longer has what the witness's checkpoint covers, after the statement is recorded."""
    with suppress(NoWitnessSigned, LedgerError):
        maintenance.submit_outside_checkpoint(log=log, note=_parse_disagreement(log, statement)[1].kept, now=now)


def _record_dissent(log: str, statement: bytes, now: datetime) -> Dissent:
    with transaction.atomic():
        witness, disagreement = _parse_disagreement(log, statement)
        kept, offered = (
            formats.parse_unverified_head(disagreement.kept),
            formats.parse_unverified_head(disagreement.offered),
        )
        if kept is None or offered is None or not formats.is_same_log(disagreement.origin, signing.origin_of(log)):
            raise NoWitnessSigned("The statement is not about two checkpoints of this log.")
        lock_casinos({witness.casino_id})
        about = {
            "witness": witness,
            "reason": disagreement.reason,
            "kept_size": kept.size,
            "kept_root": kept.root.hex(),
        }
        before = Dissent.objects.filter(**about).first()
        if before is not None:
            return before
        dissent = Dissent(
            **about,
            offered_size=offered.size,
            offered_root=offered.root.hex(),
            stated_at=timestamp_from_seconds(disagreement.at),
            statement=statement.decode(),
            received_at=now,
        )
        raise_alert(
            casino=witness.casino,
            duty=DUTY_DISAGREES,
            to=ALERTED_ROLES,
            clause=SERVICE_RULE,
            now=now,
            statement=f"The witness {witness.name} disagrees with the log. "
            f"{formats.DISAGREEMENT_REASONS[disagreement.reason]}",
            fact_at=min(dissent.stated_at, now),
        )
        return write_row(dissent, kind=WITNESS_DISAGREED, log=log, now=now)


def _parse_disagreement(log: str, statement: bytes) -> tuple[Witness, formats.Disagreement]:
    for witness in active_witnesses(log):
        try:
            return witness, formats.Disagreement.open(statement, witness.parsed_key)
        except errors.NoteError:
            continue
    raise NoWitnessSigned


def alert_lagging_witnesses(now: datetime) -> int:
    """Alert once for each witness and the size at which it stopped. Returns the number of alerts."""
    alerts = 0
    recording = Witness.objects.exclude(casino__slug__in=read_only_log_slugs())
    for witness in recording.filter(end=None).select_related("casino"):
        status = load_witness_status(witness, now)
        if status.state is AgreementState.BEHIND and _raise_lag_alert(witness, status.size, now):
            alerts += 1
    return alerts


@transaction.atomic
def _raise_lag_alert(witness: Witness, size: int, now: datetime) -> bool:
    lock_casinos({witness.casino_id})
    since = f"It cosigned {size:,} entries last." if size else "It has not cosigned anything yet."
    statement = f"The witness {witness.name} fell behind. {since}"
    if Alert.objects.filter(casino=witness.casino, duty=DUTY_BEHIND, statement=statement).exists():
        return False
    raise_alert(
        casino=witness.casino,
        duty=DUTY_BEHIND,
        to=ALERTED_ROLES,
        statement=statement,
        clause=SERVICE_RULE,
        now=now,
        immediately=False,
    )
    return True
