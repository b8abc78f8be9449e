"""The state of a witness compared with the log as signed now."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum

from compliance.core.web.ui.components import Tag, TagKind
from compliance.transparency.witness_registry.models import Dissent, Witness
from rounds.ledger import proofs
from rounds.transparency_log import formats

# A witness polls every minute; missing a few polls is harmless.
LAG_LIMIT = timedelta(minutes=30)
# Recomputing everything takes a while: once a day is enough.
AUDITED_LAG_LIMIT = timedelta(hours=26)


class AgreementState(Enum):
    AGREES = "Agrees"
    WAITING = "Not yet cosigned"
    BEHIND = "Fell behind"
    DISAGREES = "Disagrees"
    ENDED = "Ended"


TAG_KINDS: dict[AgreementState, TagKind] = {
    AgreementState.AGREES: "success",
    AgreementState.WAITING: "info",
    AgreementState.BEHIND: "warning",
    AgreementState.DISAGREES: "danger",
    AgreementState.ENDED: "neutral",
}


@dataclass(frozen=True)
class WitnessStatus:
    """`size` and `cosigned_at` are those of the last cosignature; 0 and None before the first."""

    witness: Witness
    state: AgreementState
    size: int
    cosigned_at: datetime | None
    dissent: Dissent | None

    @property
    def tag(self) -> Tag:
        return Tag(self.state.value, TAG_KINDS[self.state])


def load_witness_status(witness: Witness, now: datetime) -> WitnessStatus:
    last = witness.cosignatures.order_by("-size").first()
    dissent = witness.dissents.order_by("-stated_at", "-pk").first()
    size, cosigned_at = (last.size, last.cosigned_at) if last else (0, None)
    return WitnessStatus(witness, _classify_state(witness, size, cosigned_at, dissent, now), size, cosigned_at, dissent)


def _classify_state(
    witness: Witness, size: int, cosigned_at: datetime | None, dissent: Dissent | None, now: datetime
) -> AgreementState:
    if witness.ended:
        return AgreementState.ENDED
    if dissent and (cosigned_at is None or cosigned_at <= dissent.stated_at):
        return AgreementState.DISAGREES
    waits_since = proofs.first_signed_after(witness.casino.slug, size if cosigned_at else -1)
    patience = AUDITED_LAG_LIMIT if witness.name.endswith(formats.AUDITED_SUFFIX) else LAG_LIMIT
    if waits_since and now - max(waits_since, witness.at) > patience:
        return AgreementState.BEHIND
    return AgreementState.AGREES if cosigned_at else AgreementState.WAITING
