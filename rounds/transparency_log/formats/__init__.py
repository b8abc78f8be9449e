"""Byte formats of a log, its checkpoints and proofs.

leaf.py             bytes that are hashed for an entry: header, newline, body
strict_json.py      JSON with exactly one meaning; everything else is refused
signed_note.py      signed notes, checkpoints and Ed25519 keys (C2SP signed-note, tlog-checkpoint)
cosignature.py      cosignatures and disagreements of witnesses (C2SP tlog-cosignature)
tlog_proof.py       proof of one entry as a text file (C2SP tlog-proof)
origin_names.py     the names under which a log signs, one for each epoch
salted_digests.py   salted digests that replace personal data in entries
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
