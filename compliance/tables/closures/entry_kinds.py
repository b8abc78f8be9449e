"""Entry kinds of closures. That a table was closed or opened is a line of the table: see rounds.intake."""

from rounds.ledger import EntryKind

CLOSURE = EntryKind(
    "closure",
    "Closing announced",
    lambda body: f"{'In an emergency: ' if body['emergency'] else ''}{body['reason']}",
    "closures.Closure",
    meaning="The closing of a table was announced, or a table was closed in an emergency.",
)
CLOSURE_ENDED = EntryKind(
    "closure-step",
    "Closing: what became of it",
    "{state:Words}: {reason}",
    "closures.ClosureStep",
    meaning="An announced closing was carried out or withdrawn, or the table was opened again.",
)
