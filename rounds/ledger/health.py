"""What the status page says of the ledger: guards, checkpoints, followers and verification."""

from datetime import datetime, timedelta

from django.db import connection

from compliance.web.health import Reading, register_check
from rounds.ledger.checkpoints import NoLedgerKey, check_key
from rounds.ledger.following import every_log, lag
from rounds.ledger.guards import guard_faults
from rounds.ledger.models import Log
from rounds.ledger.read_only import halts
from rounds.ledger.verified import last_verification

# Signing comes round every minute, following every few seconds, verification every day: each may miss a turn or two.
SIGNED_WITHIN = timedelta(minutes=3)
FOLLOWED_WITHIN = timedelta(minutes=5)
VERIFIED_WITHIN = timedelta(hours=26)

# The first entry that no checkpoint covers, log by log.
UNSIGNED = """
SELECT log.slug, entry.recorded_at
FROM ledger_log log
CROSS JOIN LATERAL (SELECT coalesce(max(size), 0) AS size FROM ledger_checkpoint WHERE log_id = log.id) signed
CROSS JOIN LATERAL (SELECT recorded_at FROM ledger_entry WHERE log_id = log.id AND index = signed.size) entry
ORDER BY entry.recorded_at
"""


def register_checks() -> None:
    register_check("ledger guards", check_guard_state)
    register_check("ledger recording", check_recording, is_vital=False)
    register_check("ledger checkpoints", check_checkpoints, is_vital=False)
    register_check("ledger followers", check_followers, is_vital=False)
    register_check("ledger verification", check_verification, is_vital=False)


def check_guard_state(now: datetime) -> Reading:
    faults = guard_faults()
    if faults:
        return Reading(False, f"Not in place: {len(faults)}. First: {faults[0]}")
    return Reading(True, "Every guard is in place and always on.")


def check_recording(now: datetime) -> Reading:
    halted = halts()
    if not halted:
        return Reading(True, "Every log takes records.")
    since = min(halt.halted_at for halt in halted.values())
    return Reading(False, f"Read-only since {since:%Y-%m-%d %H:%M} UTC: {', '.join(halted)}. See After a restore.")


def check_checkpoints(now: datetime) -> Reading:
    if not every_log():
        return Reading(True, "There is no log to sign yet.")
    try:
        check_key()
    except NoLedgerKey as error:
        return Reading(False, f"{error.title}: nothing is signed until it is put back.")
    with connection.cursor() as cursor:
        cursor.execute(UNSIGNED)
        waiting = cursor.fetchall()
    if not waiting:
        return Reading(True, "Every entry is covered by a signed checkpoint.")
    log, since = waiting[0]
    age = max(timedelta(0), now - since)
    return Reading(age <= SIGNED_WITHIN, f"Entries of {log} wait {_seconds(age)} to be signed.")


def check_followers(now: datetime) -> Reading:
    behind = [one for one in lag() if one.entries]
    if not behind:
        return Reading(True, "Nobody is behind.")
    last = max(behind, key=lambda one: now - (one.waiting_since or now))
    age = max(timedelta(0), now - (last.waiting_since or now))
    detail = f"{last.consumer} is {last.entries} entries behind on {last.log}, by {_seconds(age)}."
    return Reading(age <= FOLLOWED_WITHIN and all(one.entries > 0 for one in behind), detail)


def check_verification(now: datetime) -> Reading:
    for log in every_log():
        reading = _check_one(log, now)
        if not reading.is_ok:
            return reading
    return Reading(True, "Every log was verified within a day and fits.")


def _check_one(log: str, now: datetime) -> Reading:
    last = last_verification(log)
    if last is not None and not last.is_whole:
        return Reading(False, f"{log} does not fit, found {last.recorded_at:%Y-%m-%d %H:%M} UTC. See its record.")
    since = Log.objects.get(slug=log).opened_at if last is None else last.recorded_at
    return Reading(now - since <= VERIFIED_WITHIN, f"{log} was last verified {since:%Y-%m-%d %H:%M} UTC.")


def _seconds(age: timedelta) -> str:
    return f"{int(age.total_seconds())} s"
