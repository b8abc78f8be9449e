"""The RFC 6962 Merkle tree: hashes and proofs, the tiles it is stored in, and how PostgreSQL holds them."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
