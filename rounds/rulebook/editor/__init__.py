"""Editing a rule pack in the browser, as a part of a proposal.

places.py     where each key of the text stands: lines for messages, exact places for rewriting one value
faults.py     what is wrong with the text, each with its line and in plain words
partly.py     as much of a pack as can be read while it is being written
examining.py  everything that is shown beside the text: faults, changes, edges, worked cases
aside.py      the same in a process of its own, which is ended when it takes too long;  __main__.py  that process
values.py     single values changed by form fields, the rest of the text left as it is
starts.py     what an edit can begin from
forms.py, shown.py, views.py   the pages
"""
