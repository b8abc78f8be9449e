"""Webhooks: signed HTTPS messages to other systems when a finding, an alert or a promotion's terms are recorded. A
consumer of the log writes deliveries to an outbox in PostgreSQL, where they wait until the receiver accepts them. The
address is typed by a person, so it is checked at registration and again, after DNS resolution, at every attempt
(SSRF).

models.py        Endpoint, EndpointStep (ledger entries), Delivery (the outbox), Attempt
states.py        events, states and allowed transitions
services.py      register, change, disable, enable, remove; test message, resend
selectors.py     access_endpoint, access_delivery, permissions
consumer.py      log entries become deliveries
delivery/        worker, payloads, signature, HTTP client, address policy
entry_kinds.py   ledger entry kinds
verify.py        compares endpoints with their newest entry
health.py        health check of the outbox
tasks.py         Celery task
forms.py         forms of the pages
errors.py        refusals
help_page.py     help page for receivers
views/           endpoints of a casino, one endpoint with its deliveries, one delivery with its attempts
"""
