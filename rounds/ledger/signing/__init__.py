"""Signing: checkpoints, the copy outside the database, the log's origin, signatures over timestamps, retired keys."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
