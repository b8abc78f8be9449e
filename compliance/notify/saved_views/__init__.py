"""Saved views of lists, and e-mails about new rows in them.

models.py         SavedView, Subscription, and the outbox: NewRowsMessage with its MessageParts
states.py         frequencies, and states of a message
audiences.py      with whom a view can be shared
selectors.py      views a person can use; access_view
list_access.py    runs a list as a given person: whether it opens, and which rows it has
filter_panel.py   saved views in the filter panel of a list
middleware.py     redirects a list to the person's default view
services.py       save, change, remove a view; subscribe and unsubscribe
subscriptions/    finds new rows and sends the e-mails
tasks.py          Celery task of these
errors.py         refusals
help_page.py      help page
views/            pages
"""
