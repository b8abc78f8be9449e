"""Checks of the status page: database guards, read-only logs, unsigned entries, consumer lag, last verification."""

from datetime import datetime, timedelta

from django.db import connection

from compliance.core.web.health import CheckResult, register_check
from rounds.ledger.models import Log
from rounds.ledger.read_only import halts_by_log
from rounds.ledger.readers.consumer import consumer_lags
from rounds.ledger.signing.checkpoints import MAX_SIGNING_DELAY, LedgerKeyMissing, check_key_file
from rounds.ledger.storage import every_log
from rounds.ledger.verify.check_database_guards import guard_faults
from rounds.ledger.verify.history import last_verification

MAX_CONSUMER_LAG = timedelta(minutes=5)
MAX_VERIFICATION_AGE = timedelta(hours=26)

# For each log, the first entry that no checkpoint covers.
UNSIGNED_SQL = """
SELECT log.slug, entry.recorded_at
FROM ledger_log log
CROSS JOIN LATERAL (SELECT coalesce(max(size), 0) AS size FROM ledger_checkpoint WHERE log_id = log.id) signed
CROSS JOIN LATERAL (SELECT recorded_at FROM ledger_entry WHERE log_id = log.id AND index = signed.size) entry
ORDER BY entry.recorded_at
"""


def register_checks() -> None:
    register_check("ledger guards", check_database_guards)
    register_check("ledger recording", check_read_only_logs, is_vital=False)
    register_check("ledger checkpoints", check_checkpoints, is_vital=False)
    register_check("ledger followers", check_consumers, is_vital=False)
    register_check("ledger verification", check_verification, is_vital=False)


def check_database_guards(now: datetime) -> CheckResult:
    faults = guard_faults()
    if faults:
        return CheckResult(False, f"Not in place: {len(faults)}. First: {faults[0]}")
    return CheckResult(True, "Every guard is in place and always on.")


def check_read_only_logs(now: datetime) -> CheckResult:
    halted = halts_by_log()
    if not halted:
        return CheckResult(True, "Every log takes records.")
    since = min(halt.halted_at for halt in halted.values())
    return CheckResult(False, f"Read-only since {since:%Y-%m-%d %H:%M} UTC: {', '.join(halted)}. See After a restore.")


def check_checkpoints(now: datetime) -> CheckResult:
    if not every_log():
        return CheckResult(True, "There is no log to sign yet.")
    try:
        check_key_file()
    except LedgerKeyMissing as error:
        return CheckResult(False, f"{error.title}: nothing is signed until it is put back.")
    with connection.cursor() as cursor:
        cursor.execute(UNSIGNED_SQL)
        waiting = cursor.fetchall()
    if not waiting:
        return CheckResult(True, "Every entry is covered by a signed checkpoint.")
    log, since = waiting[0]
    age = max(timedelta(0), now - since)
    return CheckResult(age <= MAX_SIGNING_DELAY, f"Entries of {log} wait {_format_age(age)} to be signed.")


def check_consumers(now: datetime) -> CheckResult:
    behind = [one for one in consumer_lags() if one.entries]
    if not behind:
        return CheckResult(True, "Nobody is behind.")
    last = max(behind, key=lambda one: now - (one.waiting_since or now))
    age = max(timedelta(0), now - (last.waiting_since or now))
    detail = f"{last.consumer} is {last.entries} entries behind on {last.log}, by {_format_age(age)}."
    return CheckResult(age <= MAX_CONSUMER_LAG and all(one.entries > 0 for one in behind), detail)


def check_verification(now: datetime) -> CheckResult:
    for log in every_log():
        reading = _check_log_verification(log, now)
        if not reading.is_ok:
            return reading
    return CheckResult(True, "Every log was verified within a day and fits.")


def _check_log_verification(log: str, now: datetime) -> CheckResult:
    last = last_verification(log)
    if last is not None and not last.is_whole:
        return CheckResult(False, f"{log} does not fit, found {last.recorded_at:%Y-%m-%d %H:%M} UTC. See its record.")
    since = Log.objects.get(slug=log).opened_at if last is None else last.recorded_at
    return CheckResult(now - since <= MAX_VERIFICATION_AGE, f"{log} was last verified {since:%Y-%m-%d %H:%M} UTC.")


def _format_age(age: timedelta) -> str:
    return f"{int(age.total_seconds())} s"
