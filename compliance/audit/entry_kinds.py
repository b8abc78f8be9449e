"""Entry kinds that the audit writes. They are never audited themselves and wake no consumer."""

from rounds.ledger import register_kind

FINDING = register_kind("finding", "The audit found something that is not as the rules say.").name
SUPERSEDED = register_kind("finding-superseded", "A finding no longer stands, and why.").name
COVERAGE = register_kind("audit-coverage", "A range of the log was audited, by which rules and with which result.").name
AUDIT_KINDS = frozenset({FINDING, SUPERSEDED, COVERAGE})
