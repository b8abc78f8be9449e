"""Every write on the floor. Each function writes its row and its ledger entry in one transaction.

tables.py       add and retire tables and terminals
controllers.py  register controllers, assign them tables; propose, approve and revoke their keys
facts.py        record a dated fact, or one that a notice announced; retract one
common.py       lock, slug check and append that they share
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
