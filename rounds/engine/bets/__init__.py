"""Base vocabulary of the engine. Imports nothing else of the engine but errors.

bet_codes.py        closed set of bet codes in canonical order
dice_outcomes.py    the 216 ordered outcomes of three dice
odds_notation.py    odds parsed into exact fractions and formatted back
win_conditions.py   predicates on an outcome: when a bet wins
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
