"""E-mail.

outbox.py         enqueues, sends and retries every e-mail
render.py         subject and body from a template
demo_mailbox.py   e-mail backend and pages of the demo, where no mail server is configured
"""
