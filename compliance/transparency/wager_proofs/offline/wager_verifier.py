"""The offline check of a wager as one file: what leads to a signed log, and what the proof of a wager adds to it."""

from compliance.transparency.wager_proofs.offline import verify_wager
from rounds.ledger.offline.bundle_verifier import SIGNED_LOG_MODULES
from rounds.ledger.offline.single_file import SingleFileProgram

WAGER_VERIFIER = SingleFileProgram(*SIGNED_LOG_MODULES, verify_wager)
