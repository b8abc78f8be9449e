"""Kinds of ledger entries that the floor writes, and the models whose rows belong to them."""

from rounds.floor.models import Controller, ControllerKey, ControllerTable, Fact, Table, Terminal
from rounds.ledger import register_kind, register_rows, writing

FLOOR_KINDS: list[writing.EntryKind] = []


def _register_floor_kind(name: str, meaning: str) -> str:
    FLOOR_KINDS.append(register_kind(name, meaning))
    return name


TABLE_ADDED = _register_floor_kind("table-added", "A gaming table was put on the casino's list.")
TABLE_RETIRED = _register_floor_kind("table-retired", "A gaming table was taken out of use.")
TERMINAL_ADDED = _register_floor_kind("terminal-added", "A player's terminal was added to an electronic table.")
TERMINAL_RETIRED = _register_floor_kind("terminal-retired", "A player's terminal was taken out of use.")
CONTROLLER_REGISTERED = _register_floor_kind("controller-registered", "A table controller was registered.")
CONTROLLER_TABLE_GIVEN = _register_floor_kind("controller-table-given", "A controller may speak for a table.")
CONTROLLER_TABLE_ENDED = _register_floor_kind("controller-table-ended", "A controller may no longer speak for a table.")
KEY_PROPOSED = _register_floor_kind("controller-key-proposed", "A public key was proposed for a controller.")
KEY_APPROVED = _register_floor_kind("controller-key-approved", "A second person approved a controller's key.")
KEY_REVOKED = register_kind(
    "controller-key-revoked", "A controller's key was revoked: nothing signed by it counts."
).name
TABLE_FACTS = _register_floor_kind("table-facts", "A dated fact of a casino, a table or a terminal was stated.")


def register_ledger_models() -> None:
    register_rows(TABLE_ADDED, Table.rows_between)
    register_rows(TERMINAL_ADDED, Terminal.rows_between)
    register_rows(CONTROLLER_REGISTERED, Controller.rows_between)
    register_rows(CONTROLLER_TABLE_GIVEN, ControllerTable.rows_between)
    register_rows(KEY_PROPOSED, ControllerKey.rows_between)
    register_rows(TABLE_FACTS, Fact.rows_between)
