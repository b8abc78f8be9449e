"""Notifications.

alerts/        alerts to people who must be notified, with escalation until somebody acknowledges
webhooks/      signed HTTPS messages to other systems
saved_views/   saved views of lists, and e-mails about new rows in them
"""
