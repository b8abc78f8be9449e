"""The audit: every settlement recomputed, every discrepancy flagged, nothing twice, nothing missed.

codes.py, catalogue/  every code a finding can bear
seen.py               what a check is given: a round, and the circumstances that governed it
checks/               the checks; drafts.py is what they say
circumstances.py      rule versions and tables' dated facts, read in bulk
packing.py, packed.py rounds as columns: a projection of the log;  bulk.py, columns.py read a stretch of them
limits.py             wagers outside their table's limits
terms.py              on which terms each wager was laid, and what those say of its box at its result
happenings.py         what happened besides rounds: a projection of the log;  stories.py tells it to checks over time
streaks.py            a table's results, for Super Streak;  determinations.py  what people determined of rounds later
summing.py, sums_compared.py  what was played, summed
repacking.py          the projections and the sums made again from the log
found_in_time.py, warnings.py  what people recorded of wagers outside the limits
judging.py            a stretch of the log judged: quickly over columns, exactly where something is suspected
over_time.py          what happened besides rounds, judged;  watched.py  rounds to be looked at because of it
following.py          the work list, and what opens the past again;  late.py  what came late or was taken back
recording.py          a block audited, its findings and coverage recorded;  working.py, tasks.py who does it and when
what_if.py            a version tried over history, writing nothing
parquet/              wagers and verdicts as files for analysis, and settlements recomputed from those files
confusion.py          what was planted against what was found;  silence.py  what each code comes to under a version
selectors.py, views.py, forms.py, guide.py  what people see of it;  health.py  whether anything waits too long

Celery is the bell, PostgreSQL the memory. The audit's own entries are never audited and never ring.
"""
