"""Base vocabulary: bet codes, the 216 dice outcomes, odds as exact fractions, and the predicates that say when a
bet wins. Imports nothing else of the engine but errors.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
