"""Certificates that sign PDF files, recorded in the ledger: which, since when, and why it was changed.

A report carries the entry of its certificate, so that the file alone shows that the certificate is genuine.
"""

import base64
from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.db import transaction

from compliance.core.web.files.atomic_write import write_atomically
from compliance.core.web.health import CheckResult
from compliance.core.web.jobs.locks import Lock, lock_transaction
from compliance.core.web.pdf.signer import CannotSign, ReportKey, generate_report_key, load_report_key
from compliance.reports.entry_kinds import KEY
from compliance.reports.errors import NoKeyReason
from compliance.reports.models import Certificate
from rounds.ledger import every_log, read_only_log_slugs, write_row

SITE_LOG = "site"
REASON_FIRST_START = "The first start."
REASON_KEY_FILE = "Found in the file that REPORT_KEY_FILE names."
MAX_REASON_LENGTH = 300
WARN_BEFORE = timedelta(days=60)


def record_certificate(log: str, key: ReportKey, now: datetime, reason: str = REASON_KEY_FILE) -> Certificate:
    """The entry of this key's certificate in the log. Idempotent: appended only if the newest such entry is another
    one."""
    with transaction.atomic():
        lock_transaction(Lock.CERTIFICATE)
        newest = Certificate.objects.filter(log=log).first()
        if newest is not None and newest.certificate_sha256 == key.sha256:
            return newest
        row = Certificate(
            certificate_sha256=key.sha256,
            certificate=base64.b64encode(key.certificate).decode(),
            former_sha256=newest.certificate_sha256 if newest else "",
            reason=reason,
            at=now,
        )
        return write_row(row, kind=KEY, log=log, now=now)


def record_certificate_in_all_logs(
    now: datetime, reason: str = REASON_KEY_FILE, logs: Iterable[str] | None = None
) -> list[Certificate]:
    """Records it in every log whose newest certificate differs. One query when there is nothing to do."""
    key = load_report_key()
    newest = dict(Certificate.objects.order_by("log", "entry_index").values_list("log", "certificate_sha256"))
    behind = [log for log in (logs or every_log()) if newest.get(log) != key.sha256]
    waiting = set(read_only_log_slugs()) if behind else set()
    return [record_certificate(log, key, now, reason) for log in behind if log not in waiting]


def validate_reason(reason: str) -> str:
    """Called before anything is changed."""
    stripped = reason.strip()
    if not 0 < len(stripped) <= MAX_REASON_LENGTH:
        raise NoKeyReason
    return stripped


def rotate_report_key(*, reason: str, now: datetime) -> Certificate:
    """Replaces key and certificate. The old key signs nothing more; what it signed stays valid.

    The key file is replaced atomically. If the process is interrupted before recording, the next task run records the
    certificate.
    """
    valid_reason = validate_reason(reason)
    write_atomically(Path(settings.REPORT_KEY_FILE), generate_report_key(now))
    record_certificate_in_all_logs(now, valid_reason)
    return Certificate.objects.filter(log=SITE_LOG).latest("entry_index")


def check_signing_key(now: datetime) -> CheckResult:
    """Status check: a key exists, is valid for some time, and its certificate is in the ledger."""
    try:
        key = load_report_key()
    except CannotSign as error:
        return CheckResult(False, error.detail)
    if now > key.until - WARN_BEFORE or now < key.since:
        return CheckResult(False, f"The certificate is valid from {key.since:%Y-%m-%d} to {key.until:%Y-%m-%d}.")
    newest = Certificate.objects.filter(log=SITE_LOG).first()
    if newest is None or newest.certificate_sha256 != key.sha256:
        return CheckResult(False, "The ledger does not know its certificate yet.")
    return CheckResult(True, f"Its certificate is in the ledger and valid to {key.until:%Y-%m-%d}.")
