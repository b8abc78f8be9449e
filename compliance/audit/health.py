"""What the status page says of the audit: whether anything has waited for it too long."""

from datetime import datetime, timedelta

from django.db import connection

from compliance.audit.kinds import OWN
from compliance.web.health import Reading, register_check

# Workers are rung every few seconds, and a busy hour of a floor takes less than a minute.
AUDITED_WITHIN = timedelta(minutes=5)

# Of each log its first stretch that waits, without the audit's own entries. What was opened again waits at most since
# the log's newest entry.
WAITING = """
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
    register_check("audit", check_lag, is_vital=False)


def check_lag(now: datetime) -> Reading:
    with connection.cursor() as cursor:
        cursor.execute(WAITING, [sorted(OWN)])
        waiting = cursor.fetchall()
    if not waiting:
        return Reading(True, "Everything that was recorded is audited.")
    log, entries, is_again, since = min(waiting, key=lambda row: row[3])
    age = max(timedelta(0), now - since)
    words = "wait to be audited again" if is_again else "wait to be audited"
    detail = f"{entries:,} entries of {log} {words}, for {int(age.total_seconds())} s; logs behind: {len(waiting)}."
    return Reading(age <= AUDITED_WITHIN, detail)
