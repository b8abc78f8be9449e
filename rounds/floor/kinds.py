"""The entries that the floor writes into a casino's log, and whose rows stand beside them."""

from rounds.floor.models import Controller, ControllerKey, ControllerTable, Fact, Table, Terminal
from rounds.ledger.kinds import Kind, register_kind
from rounds.ledger.recorded import register_record

EVERY_KIND: list[Kind] = []


def _kind(name: str, meaning: str) -> str:
    EVERY_KIND.append(register_kind(name, meaning))
    return name


TABLE_ADDED = _kind("table-added", "A gaming table was put on the casino's list.")
TABLE_RETIRED = _kind("table-retired", "A gaming table was taken out of use.")
TERMINAL_ADDED = _kind("terminal-added", "A player's terminal was added to an electronic table.")
TERMINAL_RETIRED = _kind("terminal-retired", "A player's terminal was taken out of use.")
CONTROLLER_REGISTERED = _kind("controller-registered", "A table controller was registered.")
CONTROLLER_TABLE_GIVEN = _kind("controller-table-given", "A controller may speak for a table.")
CONTROLLER_TABLE_ENDED = _kind("controller-table-ended", "A controller may no longer speak for a table.")
KEY_PROPOSED = _kind("controller-key-proposed", "A public key was proposed for a controller.")
KEY_APPROVED = _kind("controller-key-approved", "A second person approved a controller's key.")
KEY_REVOKED = register_kind(
    "controller-key-revoked", "A controller's key was revoked: nothing signed by it counts."
).name
TABLE_FACTS = _kind("table-facts", "A dated fact of a casino, a table or a terminal was stated.")


def register_records() -> None:
    register_record(TABLE_ADDED, Table.recorded_between)
    register_record(TERMINAL_ADDED, Terminal.recorded_between)
    register_record(CONTROLLER_REGISTERED, Controller.recorded_between)
    register_record(CONTROLLER_TABLE_GIVEN, ControllerTable.recorded_between)
    register_record(KEY_PROPOSED, ControllerKey.recorded_between)
    register_record(TABLE_FACTS, Fact.recorded_between)
