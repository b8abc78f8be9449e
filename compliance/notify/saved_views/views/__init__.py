"""Pages of saved views.

saved_views.py     list, save, open, change, remove
subscriptions.py   subscribe, unsubscribe, messages received
unsubscribe.py     the link in an e-mail
forms.py           forms of these pages
common.py          access rule and text that they share
"""
