"""The RFC 6962 Merkle tree, as hashes and as tiles (storage.py of the ledger reads the stored ones).

merkle.py   hashes, the frontier for appending, verification of proofs
tiles.py    the tree as stored tiles of 256 hashes, and proofs computed from them
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
