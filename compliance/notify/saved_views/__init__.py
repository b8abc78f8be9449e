"""Saved views of lists, and e-mails about new rows in them.

models.py         SavedView, Subscription, and NewRowsMessage with its MessageParts
states.py         frequencies of subscriptions
audiences.py      with whom a view can be shared
selectors.py      views a person can use; access_view
list_access.py    the list of a view: whether it opens to a person, and which rows it has
filter_panel.py   saved views in the filter panel of a list
services.py       save, change, remove a view; subscribe and unsubscribe
subscriptions/    finds new rows and renders the e-mails
tasks.py          Celery task of these
errors.py         refusals
help_page.py      help page
views/            pages
"""
