"""The rulebook's pages.

home.py       versions of a casino;  version.py  one version, its comparison, its truth table, its document
proposing.py  the task list of a proposal;  deciding.py  approve, withdraw, rule on a reading
patrons.py    the rules as anybody may read them
"""
