"""The entries that people write here, and what must agree with them."""

from rounds.ledger.kinds import register_kind
from rounds.ledger.recorded import register_projection, register_record

RETURNED = "return-to-play"
VOID_SET = "void-set"
STAKES_RETURNED = "stakes-returned"


def register_kinds() -> None:
    """For apps of higher layers too: they are made ready first."""
    register_kind(RETURNED, "A person signed that a table whose play had stopped may be played at again.")
    register_kind(VOID_SET, "Rounds that damaged dice affected were determined: all of them are void.")
    register_kind(STAKES_RETURNED, "Stakes of rounds or wagers that became void later were handed back.")


def register_records() -> None:
    from compliance.equipment import comparing, following
    from compliance.equipment.models import ReturnToPlay, StakesReturned, VoidSet
    from rounds.intake import recorded
    from rounds.ledger.following import followed_up_to

    # Apps of higher layers are made ready first, so the kinds followed here may not be registered yet.
    recorded.register_kinds()
    register_kinds()
    register_record(RETURNED, ReturnToPlay.recorded_between)
    register_record(STAKES_RETURNED, StakesReturned.recorded_between)
    register_record(VOID_SET, VoidSet.recorded_between)
    register_projection("What people recorded of equipment", comparing.RECORDED, comparing.lines_differ)
    register_projection(
        "Equipment as it stands", comparing.MADE, comparing.rows_differ,
        reached=lambda log: followed_up_to(following.CONSUMER, log),
    )  # fmt: skip
