"""What the offline verifiers are made of: the standard library only, and written apart from what writes the evidence.

telling.py   an error with words, and how a reader is told
reading.py   base64, JSON and hashes, read strictly
ed25519.py   signatures checked;  notes.py  keys and checkpoints
tree.py      the RFC 6962 tree and its proofs
feeds.py     the numbers that controllers give their lines

`rounds/ledger/offline/single_file.py` joins these and a program into the one file that is handed out.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
