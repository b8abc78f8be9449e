"""The offline verifier of a wager as one file: the modules for signed logs, and verify_wager.py."""

from compliance.transparency.wager_proofs.offline import verify_wager
from rounds.transparency_log import offline

WAGER_VERIFIER = offline.SingleFileProgram(*offline.SIGNED_LOG_MODULES, verify_wager)
