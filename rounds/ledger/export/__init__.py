"""Evidence out of the database: a range or a selection of entries written as a folder (bundle) that proves itself
offline.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
