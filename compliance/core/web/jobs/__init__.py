"""Background jobs.

wake.py    wakes a Celery task by name after commit
job.py     abstract model: states, attempts, cancel, retry
runner.py  runs waiting jobs: locks, steps, progress
locks.py   PostgreSQL advisory locks and the list of their numbers
"""
