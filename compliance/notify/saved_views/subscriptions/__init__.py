"""Subscriptions to saved views.

new_rows.py   finds new rows and writes outbox rows
emails.py     sends them, with an unsubscribe link
"""
