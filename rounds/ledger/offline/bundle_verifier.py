"""The offline check of a bundle as one file; other offline checks are made of the same parts."""

from rounds.ledger.offline import ed25519, feed_completeness, messages, signed_note, strict_read, tree, verify_bundle
from rounds.ledger.offline.single_file import SingleFileProgram

# How anything leads to what a log signed.
SIGNED_LOG_MODULES = (messages, strict_read, ed25519, tree, signed_note)
BUNDLE_MODULES = (*SIGNED_LOG_MODULES, feed_completeness, verify_bundle)
BUNDLE_VERIFIER = SingleFileProgram(*BUNDLE_MODULES)
