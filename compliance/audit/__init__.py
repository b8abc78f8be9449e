"""The audit: every settlement recomputed, every discrepancy flagged, nothing twice, nothing missed.

codes.py, catalogue/  every code a finding can bear
seen.py               what a check is given: a round, and the circumstances that governed it
checks/               the checks; drafts.py is what they say
circumstances.py      rule versions and tables' dated facts, read in bulk
packing.py, packed.py rounds as columns: a projection of the log;  columns.py reads a stretch of them
streaks.py            a table's results, for Super Streak;  void_sets.py  rounds voided after they were settled
judging.py            a stretch of the log judged: quickly over columns, exactly where something is suspected
following.py          the work list, and what opens the past again
recording.py          a block audited, its findings and coverage recorded;  working.py, tasks.py who does it and when
what_if.py            a version tried over history, writing nothing
selectors.py, views.py, forms.py, guide.py  what people see of it

Celery is the bell, PostgreSQL the memory. The audit's own entries are never audited and never ring.
"""
