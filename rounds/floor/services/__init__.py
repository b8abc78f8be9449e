"""Every act on the floor. Each writes its row and its entry in one transaction.

tables.py       add and retire tables and terminals
controllers.py  register controllers, give them tables, propose, approve and revoke their keys
facts.py        state a dated fact, or one that a notice announced; take one back
"""

from rounds.floor.services.controllers import (
    approve_key,
    assign_table,
    end_table_assignment,
    propose_key,
    register_controller,
    revoke_key,
)
from rounds.floor.services.facts import record_announced_fact, record_fact, retract_fact
from rounds.floor.services.tables import add_table, add_terminal, retire_table, retire_terminal

__all__ = [
    "add_table",
    "add_terminal",
    "approve_key",
    "assign_table",
    "end_table_assignment",
    "propose_key",
    "record_announced_fact",
    "record_fact",
    "register_controller",
    "retire_table",
    "retire_terminal",
    "retract_fact",
    "revoke_key",
]
