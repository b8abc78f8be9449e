"""The offline check of a report as one file: the ledger's verifier, the signature's, and what a report adds to them."""

from compliance.reports import verify_report
from compliance.web import verify_signature
from rounds.ledger.standalone import Standalone
from rounds.ledger.verifier import OF_BUNDLES

VERIFIER = Standalone(*OF_BUNDLES, verify_signature, verify_report)
