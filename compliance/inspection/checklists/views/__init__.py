"""Pages of samples and checklists.

checklists.py  lists, one checklist, its sign-off
clauses.py     one clause of a checklist
samples.py     one sample, checking its rounds
draws.py       seeding a sample, progress of its draw
common.py      permissions and formatting that they share
"""
