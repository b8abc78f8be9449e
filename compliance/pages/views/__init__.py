"""Views.

home.py    inbox and casinos of a person
search.py  the search box
floor.py   every table of a casino
table.py   one table, its last rounds and its timeline
round.py   one round;  replay.py  the same step by step
common.py  permission decorator, paging by entry index, clock times
"""
