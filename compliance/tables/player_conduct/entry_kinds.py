"""Entry kinds of conduct acts, and registration of their verification."""

from compliance.privacy.personal_data.verify import register_personal_data_kind
from compliance.tables.player_conduct.act_types import ACT_TYPES
from rounds.ledger import register_kind, register_rows


def register_kinds() -> None:
    """Also called by apps of higher layers, whose ready() runs first."""
    for act_type in ACT_TYPES.values():
        register_kind(act_type.kind, act_type.meaning)


def register_verification() -> None:
    from compliance.tables.player_conduct.models import ConductAct

    register_kinds()
    for kind in ACT_TYPES:
        register_rows(kind, ConductAct.rows_between)
        register_personal_data_kind(kind)
