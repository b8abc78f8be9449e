"""Everything that writes entries: entry kinds, append, group commit of concurrent requests, rows written with
their entry.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
