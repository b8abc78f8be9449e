"""The entries that this app writes, and the rows that stand for them."""

from compliance.patrons.models import Destruction, Hold, PersonalLook, RetentionRule
from rounds.ledger.kinds import register_kind
from rounds.ledger.recorded import register_record

LOOKED = "personal-looked"
HELD = "personal-held"
DESTROYED = "personal-destroyed"
RETENTION = "retention-set"


def register_kinds() -> None:
    register_kind(LOOKED, "Somebody saw a patron's details: who, when, why.")
    register_kind(HELD, "A patron's details are kept longer, with reason and person.")
    register_kind(DESTROYED, "A patron's details were destroyed; their digest stays.")
    register_kind(RETENTION, "How long a casino keeps personal details on a subject.")
    register_record(LOOKED, PersonalLook.recorded_between)
    register_record(HELD, Hold.recorded_between)
    register_record(DESTROYED, Destruction.recorded_between)
    register_record(RETENTION, RetentionRule.recorded_between)
