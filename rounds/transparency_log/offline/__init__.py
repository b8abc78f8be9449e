"""Offline verifiers: standard library only, and implemented separately from the code that writes the evidence.

messages.py               EvidenceError, and printing that is safe against odd characters in the evidence
strict_read.py            parses base64, JSON objects and hashes strictly
ed25519.py                verifies Ed25519 signatures
tree.py                   the RFC 6962 tree and its proofs
signed_note.py            keys and signed checkpoints
feed_completeness.py      sequence numbers of the controllers: present, missing, silent
verify_bundle.py          the program that verifies a bundle
single_file_verifiers.py  that program as one file: BUNDLE_VERIFIER
single_file.py            joins modules into the single file that is shipped
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
