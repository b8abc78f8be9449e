"""Alerts: one mechanism for every clause that requires notifying an inspector, an officer or the Authority. A service
calls `raise_alert` in its own transaction, which writes the alert, its entry and one outbox row a person
(transactional outbox). Workers send, retry and escalate until somebody acknowledges. Each step is a ledger entry, and
the time since the fact is shown.

models.py          Alert, AlertStep, Delivery (the outbox), EscalationRule
states.py          states and allowed transitions
ladder.py          escalation ladder: who is notified next, and after how many minutes
services.py        raise_alert, acknowledge_alert, set_ladder
consumer.py        raises alerts from intake's entries about controllers that cannot be trusted
mailer.py          deliver_due, escalate_due: what the workers run
selectors.py       access_alert, alerts_visible_to, alerts_waiting_for, alerts_about
response_time.py   time from the fact to raised, delivered, acknowledged
entry_kinds.py     ledger entry kinds
verify.py          compares alerts with the entries of their steps
health.py          health check of the outbox
tasks.py           Celery tasks
errors.py          refusals
views/             inbox, one alert, the block for other pages, the ladder
"""
