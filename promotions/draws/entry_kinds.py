"""Entry kinds of draws, and the models whose rows record them."""

from compliance.privacy.personal_data.verify import register_personal_data_kind
from promotions.draws.models import Attempt, Draw, DrawStep, Publication, Winner
from promotions.draws.states import DrawAct
from rounds.ledger import register_kind, register_rows

SCHEDULED = "promotion-draw"
HELD = "promotion-drawn"
STOPPED = "promotion-stop"
RESUMED = "promotion-resumed"
WINNER = "promotion-winner"
ATTEMPT = "promotion-winner-told"
PUBLISHED = "promotion-results"

KIND_BY_ACT = {DrawAct.HELD: HELD, DrawAct.POSTPONED: STOPPED, DrawAct.CANCELLED: STOPPED, DrawAct.VALIDATED: RESUMED}


def register_kinds() -> None:
    register_kind(SCHEDULED, "A draw of a promotion was scheduled.")
    register_kind(HELD, "A draw was held: place, method, entries, scrutineer, result.")
    register_kind(STOPPED, "A draw was postponed or cancelled because its integrity was in doubt.")
    register_kind(RESUMED, "The integrity of a postponed draw was validated, and it was scheduled again.")
    register_kind(WINNER, "A prize was won; the winner's details stand beside the ledger.")
    register_kind(ATTEMPT, "Somebody tried to tell a winner, by a method, with or without success.")
    register_kind(PUBLISHED, "The results of a draw were published.")
    register_rows(SCHEDULED, Draw.rows_between)
    for kind in (HELD, STOPPED, RESUMED):
        register_rows(kind, DrawStep.rows_between)
    register_rows(WINNER, Winner.rows_between)
    register_rows(ATTEMPT, Attempt.rows_between)
    register_rows(PUBLISHED, Publication.rows_between)
    register_personal_data_kind(WINNER)
