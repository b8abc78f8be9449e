"""Proofs of single entries from what is stored: step by step for a page, as a file, and with the receipts of a
batch.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
