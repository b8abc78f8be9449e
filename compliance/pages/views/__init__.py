"""home.py  what waits for a person;  floor.py  every table;  table.py  one table and its timeline;  round.py  a round.

places.py  who may open these, where they lie, and what they share
"""
