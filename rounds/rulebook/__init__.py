"""Rule packs for those who answer for them: versions approved for a casino, and commands that ask the engine.

models.py      FrozenPack, SourceDocument, RuleVersion, Draft, PackEdit;  states.py  where a version stands
services/      propose, rule on a reading, approve, withdraw;  gate.py  edges that must be confirmed first
selectors.py   version_in_force, access_version, rules_of;  errors.py  what is refused
views/         the pages, with forms.py, tables.py and wording.py, which says a pack in plain words;  demo.py

editing/       a pack edited in the browser: faults, changes and edges beside its text, in a process of its own
calculator/    what would this pay? the page for a supervisor at a table
settling.py    the run of `manage.py settle`: lines in, lines out
shelves.py     the shipped packs and a person's own; rules by name, `nsw-sic-bo@1+even=every-even-total`
listing.py     what packs there are; coverage.py  which clauses are bound, planned, not automated
edge_rows.py   house edges, boxes of one wager that share an edge in one row
comparing.py   what differs between two packs or readings; checking.py  why a pack file is refused
printing.py    aligned columns, percentages, a reader that has gone away
guide.py       the help page and the facts that it prints
management/    the commands `settle` and `rulebook`
"""
