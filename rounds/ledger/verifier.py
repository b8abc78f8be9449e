"""The offline check of a bundle as one file; other offline checks are made of the same parts."""

from rounds.ledger import verify_bundle
from rounds.ledger.offline import ed25519, feeds, notes, reading, telling, tree
from rounds.ledger.standalone import Standalone

# How anything leads to what a log signed.
OF_SIGNED_LOGS = (telling, reading, ed25519, tree, notes)
OF_BUNDLES = (*OF_SIGNED_LOGS, feeds, verify_bundle)
VERIFIER = Standalone(*OF_BUNDLES)
