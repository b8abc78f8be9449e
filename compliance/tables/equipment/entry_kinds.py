"""Entry kinds written by this app, and registration of its verifications."""

from rounds.ledger import register_kind, register_projection, register_rows

RETURNED = "return-to-play"
VOID_SET = "void-set"
STAKES_RETURNED = "stakes-returned"


def register_kinds() -> None:
    """Also called by apps of higher layers, whose ready() runs first."""
    register_kind(RETURNED, "A person signed that a table whose play had stopped may be played at again.")
    register_kind(VOID_SET, "Rounds that damaged dice affected were determined: all of them are void.")
    register_kind(STAKES_RETURNED, "Stakes of rounds or wagers that became void later were handed back.")


def register_verification() -> None:
    from compliance.tables.equipment import consumer, verify
    from compliance.tables.equipment.models import ReturnToPlay, StakesReturned, VoidSet
    from rounds.intake import entry_kinds
    from rounds.ledger import position_of

    # Apps of higher layers run ready() first, so the kinds consumed here may not be registered yet.
    entry_kinds.register_kinds()
    register_kinds()
    register_rows(RETURNED, ReturnToPlay.rows_between)
    register_rows(STAKES_RETURNED, StakesReturned.rows_between)
    register_rows(VOID_SET, VoidSet.rows_between)
    register_projection("What people recorded of equipment", verify.MANUAL_KINDS, verify.verify_manual_lines)
    register_projection(
        "Equipment as it stands",
        verify.PROJECTED_KINDS,
        verify.verify_rows,
        read_position=lambda log: position_of(consumer.CONSUMER, log),
    )
