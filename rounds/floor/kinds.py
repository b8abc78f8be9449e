"""The entries that the floor writes into a casino's log, and whose rows stand beside them."""

from rounds.floor.models import Controller, ControllerKey, ControllerTable, Fact, Table, Terminal
from rounds.ledger.kinds import register_kind
from rounds.ledger.recorded import register_record

TABLE_ADDED = register_kind("table-added", "A gaming table was put on the casino's list.").name
TABLE_RETIRED = register_kind("table-retired", "A gaming table was taken out of use.").name
TERMINAL_ADDED = register_kind("terminal-added", "A player's terminal was added to an electronic table.").name
TERMINAL_RETIRED = register_kind("terminal-retired", "A player's terminal was taken out of use.").name
CONTROLLER_REGISTERED = register_kind("controller-registered", "A table controller was registered.").name
CONTROLLER_TABLE_GIVEN = register_kind("controller-table-given", "A controller may speak for a table.").name
CONTROLLER_TABLE_ENDED = register_kind("controller-table-ended", "A controller may no longer speak for a table.").name
KEY_PROPOSED = register_kind("controller-key-proposed", "A public key was proposed for a controller.").name
KEY_APPROVED = register_kind("controller-key-approved", "A second person approved a controller's key.").name
KEY_REVOKED = register_kind(
    "controller-key-revoked", "A controller's key was revoked: nothing signed by it counts."
).name
TABLE_FACTS = register_kind("table-facts", "A dated fact of a casino, a table or a terminal was stated.").name


def register_records() -> None:
    register_record(TABLE_ADDED, Table.recorded_between)
    register_record(TERMINAL_ADDED, Terminal.recorded_between)
    register_record(CONTROLLER_REGISTERED, Controller.recorded_between)
    register_record(CONTROLLER_TABLE_GIVEN, ControllerTable.recorded_between)
    register_record(KEY_PROPOSED, ControllerKey.recorded_between)
    register_record(TABLE_FACTS, Fact.recorded_between)
