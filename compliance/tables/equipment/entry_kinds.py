"""Entry kind of equipment. What fails, is tried or placed, and rounds void for it, are defined in rounds.intake."""

from rounds.ledger import EntryKind

RETURNED = EntryKind(
    "return-to-play",
    "Returned to play",
    "{note}",
    "equipment.ReturnToPlay",
    meaning="A person signed that a table whose play had stopped may be played at again.",
)
