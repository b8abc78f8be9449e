"""The audit run, from new ledger entries to recorded findings.

worker.py             one worker's turn at a log: consume, then audit blocks until done
consumer.py           ledger consumer: writes projections, extends the work list, reopens blocks
reaudit.py            which blocks must be audited again after a late or corrected entry
record_findings.py    audits the next blocks and records findings and coverage in one transaction
finding_alerts.py     alerts about new findings that somebody must act on at once
evaluate.py           evaluates ranges: screening over columns, exact checks of the selected rounds
evaluate_timeline.py  runs the checks of entries other than rounds, and of rounds by their history
evaluate_in_memory.py what the audit would find about entries that are not stored
violation_cases.py    evaluates the violation cases of rule packs, and which clauses they prove
rebuild.py            rebuilds projections and totals from the ledger
"""
