"""Settings, start-up and operation of the service.

environment.py     every environment variable, with its default and purpose
settings.py        the one settings file;  urls.py  the site's URLs;  wsgi.py  entry point of the web server
celery.py          the Celery application;  schedule.py  the periodic tasks and their intervals
startup_checks.py  checks that every process makes before it accepts work
database_roles.py  owner and app role, and the app role's privileges on each table
run/               `make run`: launcher, embedded PostgreSQL and Valkey, child processes
backups/           backup, restore, point-in-time recovery
help/              help pages for operators: capacity, runbook, backup, drills
management/        commands prepare, migrate (as the owner), bootstrap, demo, backup, restore
"""

import os

# Before numpy is imported. There is one worker process a core, so that threads of each would only compete.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
