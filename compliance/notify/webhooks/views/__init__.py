"""Pages of webhooks.

endpoints.py    list, one endpoint with its deliveries, register, change, disable, enable, remove
deliveries.py   one delivery with its attempts, test message, resend
"""
