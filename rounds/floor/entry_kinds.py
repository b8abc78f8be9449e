"""Entry kinds of the floor: tables, terminals, controllers with their keys, and dated facts."""

from rounds.ledger import EntryKind, Reaudit

TABLE_ADDED = EntryKind(
    "table-added", "Table added", "{name}", "floor.Table", meaning="A gaming table was put on the casino's list."
)
TABLE_RETIRED = EntryKind("table-retired", "Table retired", "{table}", meaning="A gaming table was taken out of use.")
TERMINAL_ADDED = EntryKind(
    "terminal-added",
    "Terminal added",
    "{terminal}",
    "floor.Terminal",
    meaning="A player's terminal was added to an electronic table.",
)
TERMINAL_RETIRED = EntryKind(
    "terminal-retired", "Terminal retired", "{terminal}", meaning="A player's terminal was taken out of use."
)
CONTROLLER_REGISTERED = EntryKind(
    "controller-registered",
    "Controller registered",
    "{controller}: {name}",
    "floor.Controller",
    meaning="A table controller was registered.",
)
CONTROLLER_TABLE_GIVEN = EntryKind(
    "controller-table-given",
    "Controller may speak for the table",
    "{controller}",
    "floor.ControllerTable",
    meaning="A controller may speak for a table.",
)
CONTROLLER_TABLE_ENDED = EntryKind(
    "controller-table-ended",
    "Controller may no longer speak for the table",
    "{controller}",
    meaning="A controller may no longer speak for a table.",
)
KEY_PROPOSED = EntryKind(
    "controller-key-proposed",
    "Controller key proposed",
    "{controller}, key {key_id}",
    "floor.ControllerKey",
    meaning="A public key was proposed for a controller.",
)
KEY_APPROVED = EntryKind(
    "controller-key-approved",
    "Controller key approved",
    "{controller}, key {key_id}",
    meaning="A second person approved a controller's key.",
)
KEY_REVOKED = EntryKind(
    "controller-key-revoked",
    "Controller key revoked",
    "{controller}, key {key_id}: {reason}",
    meaning="A controller's key was revoked: nothing signed by it counts.",
)
TABLE_FACTS = EntryKind(
    "table-facts",
    "Fact stated",
    "{name:Words}",
    "floor.Fact",
    occurred_at="effective_at",
    reaudit=Reaudit.FACT_PERIOD,
    meaning="A dated fact of a casino, a table or a terminal was stated.",
)
