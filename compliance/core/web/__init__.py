"""Shared building blocks for the pages and background jobs of every app. Imports no other app.

access.py               access rule of a view; a view without a rule is closed
errors.py               Refusal (the one error type), its HTML page and its problem+json response
context_processors.py   `page`: what every template gets (menu, banners, time zone, session end)
binary_rows.py          queries in PostgreSQL's binary format
local_time.py           local times, time zones, daylight-saving gaps and overlaps
help_pages.py           registry and views of the help pages in templates/docs/
health.py               /healthz, /readyz, /status/ and the registry of health checks
models.py               Heartbeat, OutgoingEmail and CapturedEmail
tasks.py                heartbeat of worker and beat; sends e-mails
ui/                     components, forms, charts, navigation, banners, confirm page, table export, saved-view slot
templatetags/ui.py      the same components as template tags and filters
database/               database backend with a planning mode: a service runs without writing
files/                  atomic write, key files, uploads
http/                   JSON endpoints, load shedding, rate limit, session extension, unsent forms, client address
jobs/                   runs background jobs; wakes a Celery task after commit; advisory locks
mail/                   the e-mail outbox, e-mails from templates; the demo's mailbox
pdf/                    page layout of every PDF, signing, offline check of the signature
"""
