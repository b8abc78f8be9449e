"""The floor's pages.

tables.py       which tables there are; adding and retiring
table.py        one table at any instant; the history of a fact
facts.py        stating a fact, taking one back
casino.py       the facts of the casino itself
terminals.py    terminals of an electronic table
controllers.py  controllers, their tables and keys
presenting.py   what these pages share
"""
