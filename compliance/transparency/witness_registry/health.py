"""Check of the status page: witnesses that lag or disagree."""

from datetime import datetime

from compliance.core.web.health import CheckResult, register_check
from compliance.transparency.witness_registry.models import Witness
from compliance.transparency.witness_registry.witness_status import AgreementState, load_witness_status


def register_checks() -> None:
    register_check("witnesses", check_witnesses, is_vital=False)


def check_witnesses(now: datetime) -> CheckResult:
    statuses = [load_witness_status(one, now) for one in Witness.objects.filter(end=None).select_related("casino")]
    for state in (AgreementState.DISAGREES, AgreementState.BEHIND):
        for status in statuses:
            if status.state is state:
                words = "disagrees with" if state is AgreementState.DISAGREES else "fell behind on"
                return CheckResult(False, f"{status.witness.name} {words} {status.witness.casino.slug}.")
    if not statuses:
        return CheckResult(True, "No witness is registered.")
    return CheckResult(True, "Every witness agrees and is up to date.")
