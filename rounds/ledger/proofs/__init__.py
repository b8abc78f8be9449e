"""Proofs of single entries, computed from what is stored.

entry_proof.py   one entry checked step by step for a page, or as a `.tlog-proof` file; stored checkpoints
receipts.py      inclusion proofs for the receipts of a batch, with a checkpoint that covers them
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
