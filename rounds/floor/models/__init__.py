"""Tables, terminals, controllers and dated facts. Rows are never deleted or rewritten: columns that are filled in later
(retired, approved, revoked, ended) are set once, which database triggers enforce.

tables.py       Table, Terminal
controllers.py  Controller, its assignment to tables, its keys
facts.py        Fact, FactRetraction
common.py       what the models share
"""

from rounds.floor.models.common import SLUG_PATTERN
from rounds.floor.models.controllers import Controller, ControllerKey, ControllerTable
from rounds.floor.models.facts import Fact, FactRetraction, FactSource
from rounds.floor.models.tables import Table, Terminal

__all__ = [
    "SLUG_PATTERN",
    "Controller",
    "ControllerKey",
    "ControllerTable",
    "Fact",
    "FactRetraction",
    "FactSource",
    "Table",
    "Terminal",
]
