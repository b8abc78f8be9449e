"""Computed from compiled rules: exact house edges, payout matrix (numpy), truth table with digest; and checks on
how odds are worded and which equipment a bet needs.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
