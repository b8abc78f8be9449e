"""Web pages of the rulebook.

home.py        versions of a casino
version.py     one version, its diff, its truth table, its source document
propose.py     task list and steps of a proposal
approve.py     approve, withdraw, rule on a reading
public.py      the rules for patrons, without login
help_page.py   help pages and their generated content
forms.py       forms of these pages;  tables.py  tables of the version page
"""
