"""The audit: recomputes every settlement and checks every entry of the ledger; each breach becomes a finding.

catalogue/           every finding code
context/             what a check is given: round, rules in force, earlier events; and the FindingDraft it returns
checks/              the checks and their registry
projections/         projections of the ledger that the checks read: rounds as columns, events by table and time
screening/           the columnar fast path that selects rounds for the exact checks; skip it on a first read
totals/              sums of play by day, table and bet; money affected by each reading
run/                 ledger consumer, work list of blocks, worker, evaluation, recording of findings, rebuild
prediction/          what the audit would find if an act were recorded: the evaluator of the pre-check
pages/               web pages of findings, coverage and checks
models/              Coverage, Finding, Block and the projections
detection_matrix.py  planted faults compared with reported findings: `manage.py confusion`
clause_matrix.py     the same by clause of each rule pack
entry_kinds.py       the entry kinds that the audit appends
health.py            status check: whether entries wait too long for the audit
selectors.py         read access to findings, coverage and totals
tasks.py             the Celery task
verify.py            registers the audit's rows and projections with `verify_ledger`
management/          commands `confusion`, `repack_rounds` and `sum_play`

Read in this order: run/worker.py, run/consumer.py, run/record_findings.py, run/evaluate.py, checks/__init__.py.
The work list is in PostgreSQL; Celery messages only wake workers, so a lost or repeated message does no harm.
The audit's own entries are never audited and wake no consumer.
"""
