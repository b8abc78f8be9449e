"""Alerts: one mechanism for every clause that requires notifying an inspector, an officer or the Authority. A service
calls `raise_alert` in its own transaction, which writes the alert, its entry and one row of the e-mail outbox a
person. Workers send, retry and escalate until somebody acknowledges. Each step is a ledger entry, and
the time since the fact is shown.

models.py          Alert, AlertStep, EscalationRule
states.py          states and allowed transitions
ladder.py          escalation ladder: who is notified next, and after how many minutes
services.py        raise_alert, acknowledge_alert, set_ladder
consumer.py        raises alerts from intake's entries about controllers that cannot be trusted
mailer.py          e-mails about alerts, and escalate_due
selectors.py       access_alert, alerts_visible_to, alerts_waiting_for, alerts_about
response_time.py   time from the fact to raised, delivered, acknowledged
entry_kinds.py     ledger entry kinds
verify.py          compares alerts with the entries of their steps
tasks.py           Celery tasks
errors.py          refusals
views/             inbox, one alert, the block for other pages, the ladder
"""
