"""The offline verifier of a report as a single file, joined from the verifiers of the ledger, the signature and the
report."""

from compliance.core.web.pdf import verify_signature
from compliance.reports.offline import verify_report
from rounds.ledger import offline

VERIFIER = offline.SingleFileProgram(*offline.BUNDLE_MODULES, verify_signature, verify_report)
