"""Trials: rules applied to recorded history. Which settlements would be evaluated differently, and the money.

subjects.py       what can be tried: a version, one's own draft, the version in force with other readings
scope.py          which tables and gaming days a trial covers
services.py       request, cancel, retry and repeat a trial
run/              plan, worker and totals of a trial
compare_rules.py  evaluates a range under both rules and lists the differences; writes nothing
models.py         Trial, TrialRange, TrialDifference, TrialTotal
selectors.py      permissions and read access
tasks.py          the Celery task
views/            pages;  forms.py, errors.py, help_page.py
management/       `manage.py audit`, with --what-if and --parquet

A trial binds nobody, so it is not a ledger entry: its row records who tried what and when. Exporting its list is
recorded as a disclosure, and its PDF is a report, which has an entry.
"""
