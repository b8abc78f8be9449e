"""How the service is put together and started.

environment.py  every environment variable, with its default and purpose
settings.py     the one settings file
urls.py         the site's addresses
celery.py       the Celery application;  schedule.py  what beat rings, and how often
starting.py     what every process makes sure of before it takes work
servers.py      embedded PostgreSQL and Valkey;  processes.py  finding and stopping what a killed run left behind
serve.py        `make run`: servers, migration, demo, then the Procfile under honcho
database.py     owner and app roles, and what the app role may do to each table
backups/        backups, and the way back from them
runbook.py      what each alarm means and what to do;  guide.py  the help pages for those who run the service
management/     prepare, migrate (as the owner), bootstrap, demo, backup, restore
"""

import os

# Before anything imports numpy. A worker is one process a core: threads of its own would only wait for the others'.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
