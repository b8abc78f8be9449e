"""Notifications: alerts to people who must be told (alerts), signed messages to other systems (webhooks), and
saved views of lists with e-mails about new rows (saved_views).
"""
