"""The offline check of a report as one file: the ledger's verifier, the signature's, and what a report adds to them."""

from compliance.core.web.pdf import verify_signature
from compliance.reports.offline import verify_report
from rounds.ledger import offline

VERIFIER = offline.SingleFileProgram(*offline.BUNDLE_MODULES, verify_signature, verify_report)
