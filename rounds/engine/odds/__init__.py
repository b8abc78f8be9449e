"""Figures computed from compiled rules, and checks on how and where bets are offered.

house_edges.py          exact house edge of every bet
payout_matrix.py        odds by outcome and bet as numpy arrays, for auditing many rounds at once
truth_table.py          every bet at every outcome as text, its digest, differences between two tables
forbidden_wording.py    odds worded with a word that the pack forbids ("60 for 1")
required_equipment.py   equipment that a bet needs and a table lacks
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
