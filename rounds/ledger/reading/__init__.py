"""Everything that reads entries back: consumers with cursors, search and its index, controllers' sequence numbers,
a progress bar.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
