"""Every check of the service, against real PostgreSQL, Valkey, Celery and Chromium.

The folders mirror the tree; besides: contracts/ (what must hold of the whole project), journeys/ and browser/
(people at work), concurrency/ (real commits and threads), operations/ (the launcher, killed and started again).
"""
