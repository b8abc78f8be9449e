"""The entries that the audit writes. They are never audited themselves and never ring."""

from rounds.ledger.registry import register_projection, register_rows
from rounds.ledger.writing.entry_kinds import register_kind

FINDING = register_kind("finding", "The audit found something that is not as the rules say.").name
SUPERSEDED = register_kind("finding-superseded", "A finding no longer stands, and why.").name
COVERAGE = register_kind("audit-coverage", "A range of the log was audited, by which rules and with which result.").name
AUDIT_KINDS = frozenset({FINDING, SUPERSEDED, COVERAGE})


def register_kinds() -> None:
    from compliance.audit.models import Coverage, Finding, superseded_between
    from compliance.audit.projections import later_decisions, rounds, timeline_events
    from compliance.audit.totals import verify
    from compliance.tables.equipment.entry_kinds import register_kinds as register_equipment
    from compliance.tables.player_conduct.entry_kinds import register_kinds as register_conduct
    from rounds.intake.entry_kinds import register_kinds
    from rounds.ledger.reading.consumer import position_of

    # Apps of higher layers are made ready first, so the kinds followed here may not be registered yet.
    register_kinds()
    register_conduct()
    register_equipment()
    register_rows(FINDING, Finding.rows_between)
    register_rows(SUPERSEDED, superseded_between)
    register_rows(COVERAGE, Coverage.rows_between)
    register_projection("packed rounds", rounds.ROUND_KINDS, rounds.verify_rows)
    # Of every kind, because the apps that register these kinds are ready only later.
    register_projection(
        "audited happenings",
        None,
        timeline_events.verify_rows,
        read_position=lambda log: position_of(rounds.CONSUMER, log),
    )
    register_projection(
        "determinations on rounds",
        later_decisions.DECISION_KINDS,
        later_decisions.verify_rows,
        read_position=lambda log: position_of(rounds.CONSUMER, log),
    )
    register_projection("sums of what was played", rounds.ROUND_KINDS, verify.verify_rows)
