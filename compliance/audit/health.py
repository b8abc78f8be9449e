"""Status check: whether entries have waited too long for the audit."""

from datetime import datetime, timedelta

from django.db import connection

from compliance.audit.entry_kinds import AUDIT_KINDS
from compliance.core.web.health import CheckResult, register_check

# Workers are woken every few seconds, and auditing a busy hour of a floor takes less than a minute.
MAX_AUDIT_DELAY = timedelta(minutes=5)

# The first waiting block of each log, without the audit's own entries. A reopened block counts from the log's newest
# entry, as the time of its reopening is not stored.
OLDEST_WAITING_SQL = """
SELECT DISTINCT ON (block.log) block.log, facts.entries, block.generation > 1,
    CASE WHEN block.generation > 1 THEN newest.recorded_at ELSE facts.since END
FROM audit_block block
JOIN ledger_log log ON log.slug = block.log
JOIN ledger_head head ON head.log_id = log.id
CROSS JOIN LATERAL (
    SELECT count(*) AS entries, min(recorded_at) AS since FROM ledger_entry WHERE log_id = log.id
        AND index >= block.audited_to AND index < block.known_to AND kind <> ALL (%s)
) facts
CROSS JOIN LATERAL (SELECT recorded_at FROM ledger_entry WHERE log_id = log.id AND index = head.size - 1) newest
WHERE block.audited_to < block.known_to AND facts.entries > 0
ORDER BY block.log, block.number
"""


def register_checks() -> None:
    register_check("audit", check_audit_delay, is_vital=False)


def check_audit_delay(now: datetime) -> CheckResult:
    with connection.cursor() as cursor:
        cursor.execute(OLDEST_WAITING_SQL, [sorted(AUDIT_KINDS)])
        waiting = cursor.fetchall()
    if not waiting:
        return CheckResult(True, "Everything that was recorded is audited.")
    log, entries, is_again, since = min(waiting, key=lambda row: row[3])
    age = max(timedelta(0), now - since)
    words = "wait to be audited again" if is_again else "wait to be audited"
    detail = f"{entries:,} entries of {log} {words}, for {int(age.total_seconds())} s; logs behind: {len(waiting)}."
    return CheckResult(age <= MAX_AUDIT_DELAY, detail)
