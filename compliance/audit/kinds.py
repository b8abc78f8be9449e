"""The entries that the audit writes. They are never audited themselves and never ring."""

from rounds.ledger.kinds import register_kind
from rounds.ledger.recorded import register_projection, register_record

FINDING = register_kind("finding", "The audit found something that is not as the rules say.").name
SUPERSEDED = register_kind("finding-superseded", "A finding no longer stands, and why.").name
COVERAGE = register_kind("audit-coverage", "A range of the log was audited, by which rules and with which result.").name
OWN = frozenset({FINDING, SUPERSEDED, COVERAGE})


def register_records() -> None:
    from compliance.audit import determinations, happenings, packed, sums_compared
    from compliance.audit.models import Coverage, Finding, superseded_between
    from compliance.conduct.kinds import register_kinds as register_conduct
    from compliance.equipment.kinds import register_kinds as register_equipment
    from rounds.intake.recorded import register_kinds
    from rounds.ledger.following import followed_up_to

    # Apps of higher layers are made ready first, so the kinds followed here may not be registered yet.
    register_kinds()
    register_conduct()
    register_equipment()
    register_record(FINDING, Finding.recorded_between)
    register_record(SUPERSEDED, superseded_between)
    register_record(COVERAGE, Coverage.recorded_between)
    register_projection("packed rounds", packed.KINDS, packed.differences)
    # Of every kind, because the apps that register these kinds are ready only later.
    register_projection(
        "audited happenings", None, happenings.differences, reached=lambda log: followed_up_to(packed.CONSUMER, log)
    )
    register_projection(
        "determinations on rounds", determinations.KINDS, determinations.differences,
        reached=lambda log: followed_up_to(packed.CONSUMER, log),
    )  # fmt: skip
    register_projection("sums of what was played", packed.KINDS, sums_compared.differences)
