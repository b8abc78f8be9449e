"""Registers the audit's rows and projections with the ledger's registry, so that verify_ledger compares them."""

from compliance.audit.entry_kinds import COVERAGE, FINDING, SUPERSEDED
from compliance.audit.models import Coverage, Finding, superseded_between
from compliance.audit.projections import later_decisions, rounds, timeline_events
from compliance.audit.totals import verify as totals
from compliance.tables.equipment.entry_kinds import register_kinds as register_equipment_kinds
from compliance.tables.player_conduct.entry_kinds import register_kinds as register_conduct_kinds
from rounds.intake.entry_kinds import register_kinds as register_intake_kinds
from rounds.ledger import position_of, register_projection, register_rows


def register_verification() -> None:
    # AppConfig.ready() of this app runs before that of the apps below it, so their kinds may not be registered yet.
    register_intake_kinds()
    register_conduct_kinds()
    register_equipment_kinds()
    register_rows(FINDING, Finding.rows_between)
    register_rows(SUPERSEDED, superseded_between)
    register_rows(COVERAGE, Coverage.rows_between)
    register_projection("packed rounds", rounds.ROUND_KINDS, rounds.verify_rows)
    # Registered for every kind, because the apps that own these kinds are ready only later.
    register_projection("audited happenings", None, timeline_events.verify_rows, read_position=_consumed_up_to)
    register_projection(
        "determinations on rounds",
        later_decisions.DECISION_KINDS,
        later_decisions.verify_rows,
        read_position=_consumed_up_to,
    )
    register_projection("sums of what was played", rounds.ROUND_KINDS, totals.verify_rows)


def _consumed_up_to(log: str) -> int:
    return position_of(rounds.CONSUMER, log)
