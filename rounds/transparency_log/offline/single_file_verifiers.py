"""The bundle verifier as one file, and the modules that other offline verifiers share with it."""

from rounds.transparency_log.offline import (
    ed25519,
    feed_completeness,
    messages,
    signed_note,
    strict_read,
    tree,
    verify_bundle,
)
from rounds.transparency_log.offline.single_file import SingleFileProgram

# The modules that verify a signed checkpoint and the proofs leading to it.
SIGNED_LOG_MODULES = (messages, strict_read, ed25519, tree, signed_note)
BUNDLE_MODULES = (*SIGNED_LOG_MODULES, feed_completeness, verify_bundle)
BUNDLE_VERIFIER = SingleFileProgram(*BUNDLE_MODULES)
