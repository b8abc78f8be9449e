"""Reads entries back.

consumer.py               consumers: each entry once, in order, with a cursor in the database
search.py                 search by table, round, kind, time and person; corrections; counts by day
search_index.py           the search projection: which rounds and people each entry names
controller_sequences.py   entries by the controller's sequence number; gaps and late arrivals
progress_bar.py           progress of long commands on a terminal
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
