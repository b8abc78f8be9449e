"""A rule pack: its TOML schema (law, conduct, duties), loading and validation, readings of ambiguous clauses, and
compilation into rules per pay table.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
