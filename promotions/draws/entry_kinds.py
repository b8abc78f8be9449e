"""Entry kinds of draws, winners and published results."""

from promotions.draws.states import DrawAct
from rounds.ledger import EntryKind

SCHEDULED = EntryKind(
    "promotion-draw",
    "Draw scheduled",
    "Promotion {promotion}, draw {draw}: {place}",
    "draws.Draw",
    meaning="A draw of a promotion was scheduled.",
)
HELD = EntryKind(
    "promotion-drawn",
    "Draw held",
    "Promotion {promotion}, draw {draw}: {statement}",
    "draws.DrawStep",
    meaning="A draw was held: place, method, entries, scrutineer, result.",
)
STOPPED = EntryKind(
    "promotion-stop",
    "Draw postponed or cancelled",
    "Promotion {promotion}, draw {draw}, {act:words}: {statement}",
    "draws.DrawStep",
    meaning="A draw was postponed or cancelled because its integrity was in doubt.",
)
RESUMED = EntryKind(
    "promotion-resumed",
    "Draw scheduled again",
    "Promotion {promotion}, draw {draw}: {statement}",
    "draws.DrawStep",
    meaning="The integrity of a postponed draw was validated, and it was scheduled again.",
)
WINNER = EntryKind(
    "promotion-winner",
    "Prize won",
    "Promotion {promotion}, draw {draw}: {prize}",
    "draws.Winner",
    meaning="A prize was won; the winner's details stand beside the ledger.",
)
ATTEMPT = EntryKind(
    "promotion-winner-told",
    "Attempt to tell a winner",
    lambda body: f"Winner {body['winner']}, {body['method']}: {'reached' if body['reached'] else 'not reached'}",
    "draws.Attempt",
    occurred_at="at",
    meaning="Somebody tried to tell a winner, by a method, with or without success.",
)
PUBLISHED = EntryKind(
    "promotion-results",
    "Results published",
    "Promotion {promotion}, draw {draw}: {where}",
    "draws.Publication",
    meaning="The results of a draw were published.",
)

KIND_BY_ACT = {DrawAct.HELD: HELD, DrawAct.POSTPONED: STOPPED, DrawAct.CANCELLED: STOPPED, DrawAct.VALIDATED: RESUMED}
