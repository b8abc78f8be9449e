"""Rare operations on a log: rotate the key, halt a log that lost entries, begin a new epoch."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
