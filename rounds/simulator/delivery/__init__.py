"""Sends gaming days to the service.

casino_tables.py    table configurations from the floor's dated facts
controller_keys.py  reads controllers' private keys
connection.py       waits for the service; opens a controller's feed; the next sequence number
controller_feed.py  one controller's feed, with the delivery faults a feed can have
direct_client.py    the client without a server: calls the WSGI application in process
table_lock.py       file lock: one simulation a table
simulation_run.py   plays and sends days; totals; the truth file
"""
