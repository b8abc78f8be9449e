"""Entry kinds of the audit. They are never audited themselves and wake no consumer."""

from rounds.ledger import EntryKind

FINDING = EntryKind(
    "finding",
    "Finding",
    "{code}: {sentence}",
    "audit.Finding",
    meaning="The audit found something that is not as the rules say.",
    webhook_event="finding.recorded",
)
SUPERSEDED = EntryKind(
    "finding-superseded",
    "Finding superseded",
    "{code} of entry {finding}: {reason}",
    webhook_event="finding.superseded",
    meaning="A finding no longer stands, and why.",
)
COVERAGE = EntryKind(
    "audit-coverage",
    "Range audited",
    "Entries {first} to {last}: {rounds:number round rounds}, {wagers:number wager wagers}, "
    "{findings:number finding findings}",
    "audit.Coverage",
    meaning="A range of the log was audited, by which rules and with which result.",
)
WARNING_CONFIRMED = EntryKind(
    "warning-confirmed",
    "Warning confirmed",
    "{reason}",
    "audit.ConfirmedWarning",
    meaning="A person was shown what the audit would find or what was implausible, and gave a reason to go on.",
)
AUDIT_KINDS = frozenset({FINDING, SUPERSEDED, COVERAGE, WARNING_CONFIRMED})
