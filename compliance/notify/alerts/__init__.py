"""The duty to tell an inspector, an officer or the Authority: one mechanism for every clause that has such a duty.

A service that must tell somebody calls `raise_alert` in its own transaction: the alert, its entry and a row of the
outbox for each person are there or none of them is. Workers send, try again, and climb the ladder until somebody
acknowledges. Each step is timed and an entry; how long it took since the fact is shown.

models.py       Alert, AlertStep, Delivery (the outbox), EscalationRule
states.py       what may follow what
ladder.py       who is told next, and after how many minutes
services.py     raise_alert, acknowledge_alert, set_ladder
feeds.py        follow_feeds: what intake records of controllers that cannot be trusted
delivering.py   deliver_due, escalate_due: what the workers do
selectors.py    access_alert, alerts_seen_by, alerts_waiting_for, alerts_about
measuring.py    from the fact to raised, delivered, acknowledged
views/          the inbox, one alert, the block for other pages, the ladder
"""
