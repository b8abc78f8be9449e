"""How a witness stands towards the log as the service signs it now."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum

from compliance.web.components import Kind, Tag
from compliance.witnesses.models import Dissent, Witness
from rounds.ledger.cosignatures import AUDITED
from rounds.ledger.proving import first_signed_after

# A witness asks every minute; that it misses a few turns is nothing.
BEHIND_AFTER = timedelta(minutes=30)
# Recomputing everything takes a while: once a day is often enough.
AUDITED_BEHIND_AFTER = timedelta(hours=26)


class Standing(Enum):
    AGREES = "Agrees"
    WAITING = "Not yet cosigned"
    BEHIND = "Fell behind"
    DISAGREES = "Disagrees"
    ENDED = "Ended"


KINDS: dict[Standing, Kind] = {
    Standing.AGREES: "success",
    Standing.WAITING: "info",
    Standing.BEHIND: "warning",
    Standing.DISAGREES: "danger",
    Standing.ENDED: "neutral",
}


@dataclass(frozen=True)
class Stands:
    """`size` and `cosigned_at` are of the last cosignature: nothing and None before the first."""

    witness: Witness
    state: Standing
    size: int
    cosigned_at: datetime | None
    dissent: Dissent | None

    @property
    def tag(self) -> Tag:
        return Tag(self.state.value, KINDS[self.state])


def standing_of(witness: Witness, now: datetime) -> Stands:
    last = witness.cosignatures.order_by("-size").first()
    dissent = witness.dissents.order_by("-stated_at", "-pk").first()
    size, cosigned_at = (last.size, last.cosigned_at) if last else (0, None)
    return Stands(witness, _state(witness, size, cosigned_at, dissent, now), size, cosigned_at, dissent)


def _state(
    witness: Witness, size: int, cosigned_at: datetime | None, dissent: Dissent | None, now: datetime
) -> Standing:
    if witness.ended:
        return Standing.ENDED
    if dissent and (cosigned_at is None or cosigned_at <= dissent.stated_at):
        return Standing.DISAGREES
    waits_since = first_signed_after(witness.casino.slug, size if cosigned_at else -1)
    patience = AUDITED_BEHIND_AFTER if witness.name.endswith(AUDITED) else BEHIND_AFTER
    if waits_since and now - max(waits_since, witness.at) > patience:
        return Standing.BEHIND
    return Standing.AGREES if cosigned_at else Standing.WAITING
