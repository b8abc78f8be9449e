"""Entry kinds of displays. What a sign shows is a line of the table: see rounds.intake."""

from rounds.ledger import EntryKind

DISPLAY_ADDED = EntryKind(
    "sign-display-added",
    "Display set up",
    "{display}",
    "signs.Display",
    meaning="A display was set up to show the signs of a table.",
)
DISPLAY_ENDED = EntryKind(
    "sign-display-ended", "Display ended", "{display}", meaning="A display may no longer show the signs of a table."
)
