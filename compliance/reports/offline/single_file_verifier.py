"""The offline verifier of a report as a single file, joined from the verifiers of the ledger, the signature, the
attachments and the report."""

from compliance.core.web.pdf import attachments, verify_signature
from compliance.reports.offline import verify_report
from rounds.transparency_log import offline

VERIFIER = offline.SingleFileProgram(*offline.BUNDLE_MODULES, verify_signature, attachments, verify_report)
