"""Tables, terminals, the controllers that speak for them, and every dated fact. Nothing is deleted or rewritten.

What may still be filled in later (retired, approved, revoked, ended) is filled in once; triggers see to it.
"""

from rounds.floor.models.common import SLUG_PATTERN
from rounds.floor.models.controllers import Controller, ControllerKey, ControllerTable
from rounds.floor.models.facts import Fact, FactRetraction, Source
from rounds.floor.models.tables import Table, Terminal

__all__ = [
    "SLUG_PATTERN",
    "Controller",
    "ControllerKey",
    "ControllerTable",
    "Fact",
    "FactRetraction",
    "Source",
    "Table",
    "Terminal",
]
