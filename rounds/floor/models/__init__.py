"""Tables, terminals, the controllers that speak for them, and every dated fact. Nothing is deleted or rewritten.

What may still be filled in later (retired, approved, revoked, ended) is filled in once; triggers see to it.
"""

from rounds.floor.models.controllers import Controller, ControllerKey, ControllerTable
from rounds.floor.models.facts import Fact, Source, TakenBack
from rounds.floor.models.places import Table, Terminal
from rounds.floor.models.record import SLUG

__all__ = [
    "SLUG",
    "Controller",
    "ControllerKey",
    "ControllerTable",
    "Fact",
    "Source",
    "Table",
    "TakenBack",
    "Terminal",
]
