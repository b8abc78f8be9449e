"""The offline check of a wager as one file: what leads to a signed log, and what the proof of a wager adds to it."""

from compliance.proofs import verify_wager
from rounds.ledger.standalone import Standalone
from rounds.ledger.verifier import OF_SIGNED_LOGS

VERIFIER = Standalone(*OF_SIGNED_LOGS, verify_wager)
