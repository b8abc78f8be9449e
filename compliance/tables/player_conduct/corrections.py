"""Acts of conduct can be withdrawn."""

from compliance.core.corrections.registry import CorrectableRecord, find_row, register_correctable
from compliance.core.web.ui.links import casino_url
from compliance.tables.player_conduct.act_types import ACT_TYPES
from compliance.tables.player_conduct.models import ConductAct
from compliance.tables.player_conduct.services import MAY_RECORD
from rounds.ledger.entry_kinds import find_kind


def register() -> None:
    acts = find_row(ConductAct, "casino")
    for name in ACT_TYPES:
        kind = find_kind(name)
        assert kind is not None
        register_correctable(
            CorrectableRecord(
                kind=kind,
                writers=MAY_RECORD,
                find=acts,
                page=lambda act: casino_url("conduct:act", act.casino, act=act.entry_index),
            )
        )
