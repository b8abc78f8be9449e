"""Subscriptions to saved views.

new_rows.py   finds new rows and enqueues the e-mails
emails.py     renders them, with an unsubscribe link
"""
