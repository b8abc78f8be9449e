"""Entry kinds of closures. The last two are controller kinds, registered by rounds.intake."""

from rounds.ledger import register_kind

CLOSURE = register_kind("closure", "The closing of a table was announced, or a table was closed in an emergency.").name
CLOSURE_ENDED = register_kind(
    "closure-step", "An announced closing was carried out or withdrawn, or the table was opened again."
).name
CLOSED = "table-closed"
OPENED = "table-opened"
