"""Background jobs.

wake.py    wakes a Celery task by name after commit
locks.py   Postgres advisory locks: one worker at a time
"""
