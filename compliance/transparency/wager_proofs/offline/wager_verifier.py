"""The offline check of a wager as one file: what leads to a signed log, and what the proof of a wager adds to it."""

from compliance.transparency.wager_proofs.offline import verify_wager
from rounds.ledger import offline

WAGER_VERIFIER = offline.SingleFileProgram(*offline.SIGNED_LOG_MODULES, verify_wager)
