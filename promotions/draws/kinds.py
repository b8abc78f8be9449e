"""The entries that this app writes, and the rows that stand for them."""

from compliance.patrons.commitments import register_carrier
from promotions.draws.models import Attempt, Draw, DrawStep, Publication, Winner
from promotions.draws.states import Act
from rounds.ledger.kinds import register_kind
from rounds.ledger.recorded import register_record

SCHEDULED = "promotion-draw"
HELD = "promotion-drawn"
STOPPED = "promotion-stop"
RESUMED = "promotion-resumed"
WINNER = "promotion-winner"
ATTEMPT = "promotion-winner-told"
PUBLISHED = "promotion-results"

OF_ACT = {Act.HELD: HELD, Act.POSTPONED: STOPPED, Act.CANCELLED: STOPPED, Act.VALIDATED: RESUMED}


def register_kinds() -> None:
    register_kind(SCHEDULED, "A draw of a promotion was scheduled.")
    register_kind(HELD, "A draw was held: place, method, entries, scrutineer, result.")
    register_kind(STOPPED, "A draw was postponed or cancelled because its integrity was in doubt.")
    register_kind(RESUMED, "The integrity of a postponed draw was validated, and it was scheduled again.")
    register_kind(WINNER, "A prize was won; the winner's details stand beside the ledger.")
    register_kind(ATTEMPT, "Somebody tried to tell a winner, by a method, with or without success.")
    register_kind(PUBLISHED, "The results of a draw were published.")
    register_record(SCHEDULED, Draw.recorded_between)
    for kind in (HELD, STOPPED, RESUMED):
        register_record(kind, DrawStep.recorded_between)
    register_record(WINNER, Winner.recorded_between)
    register_record(ATTEMPT, Attempt.recorded_between)
    register_record(PUBLISHED, Publication.recorded_between)
    register_carrier(WINNER)
