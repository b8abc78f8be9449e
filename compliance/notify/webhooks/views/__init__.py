"""Pages of webhooks.

endpoints.py   the list, one with its log of messages, registering and changing, off and on, removing
deliveries.py  one message with its attempts, a test, sending again
"""
