"""Signing.

checkpoints.py            signs checkpoints; reads the key; refuses to sign a shrunk or forked log
checkpoint_file.py        copy of the newest checkpoint, outside the database
origins.py                the name under which a log signs now, with its epoch
timestamp_signatures.py   signatures over the times of a checkpoint, which its format has no place for
retired_keys.py           former keys and the size up to which each is trusted
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
