"""Byte formats, without a database: leaf, strict JSON, signed notes, cosignatures, proof files, origin names,
salted digests.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
