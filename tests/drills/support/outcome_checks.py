"""What must hold after the crash drill, read directly from the database and the mailbox."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import psycopg

from tests.compliance.core.web.mail.mail_server import Mailbox
from tests.drills.support.controller_plans import Plan
from tests.drills.support.controllers import Promised, acknowledged_lines
from tests.drills.support.supervised_service import Service

# They depend on arrival times and silences, which the drill disturbs.
ABOUT_THE_FEED = ("FEED-%", "CHECKPOINT-%", "LEDGER-%")
FEED_DUTY = "feed-not-trusted"
# As in the audit's models, which cannot be imported without a configured service.
BLOCK_ENTRIES = 2048

ENTRIES = """
SELECT log.slug, entry."table", entry.sequence, entry.index, encode(entry.leaf_sha256, 'hex'), md5(entry.body)
FROM ledger_entry entry JOIN ledger_log log ON log.id = entry.log_id WHERE entry.controller IS NOT NULL
"""
# Log indexes differ from run to run with the order of arrival; a table's sequence numbers do not.
FINDINGS = """
SELECT finding.log, finding.code, finding.severity, finding.check_name, subject."table", subject.sequence,
       finding.wager, finding.at, finding.clause,
       -- It names the instant at which the inspector was told of the fault: when the alert went out in that run.
       CASE finding.code WHEN 'FAULT-PLAY' THEN '' ELSE finding.sentence END,
       finding.required_cents, finding.found_cents,
       finding.is_silent, (
           SELECT array_agg((rests_on."table", rests_on.sequence)::text ORDER BY rests_on."table", rests_on.sequence)
           FROM ledger_entry rests_on
           WHERE rests_on.log_id = log.id AND rests_on.controller IS NOT NULL
           AND rests_on.index IN (SELECT jsonb_array_elements_text(finding.evidence)::bigint)
       )
FROM audit_finding finding JOIN ledger_log log ON log.slug = finding.log
JOIN ledger_entry subject ON subject.log_id = log.id AND subject.index = finding.subject_index
WHERE finding.superseded_at IS NULL AND subject.controller IS NOT NULL AND NOT finding.code LIKE ANY(%s)
"""
CASES = """
SELECT reading.log, finding.code, subject."table", subject.sequence, reading.wager, reading.choice,
       reading.required_cents, reading.found_cents
FROM audit_readingcase reading JOIN audit_finding finding ON finding.id = reading.finding_id
JOIN ledger_log log ON log.slug = reading.log
JOIN ledger_entry subject ON subject.log_id = log.id AND subject.index = reading.subject_index
"""
ALERTS = """
SELECT alert.log, alert.duty, alert."table", about."table", about.sequence, alert.statement
FROM alerts_alert alert JOIN ledger_log log ON log.slug = alert.about_log
JOIN ledger_entry about ON about.log_id = log.id AND about.index = alert.about_index
WHERE about.controller IS NOT NULL AND alert.duty <> %s
"""
UNDELIVERED = """
SELECT alert.log, alert.entry_index FROM alerts_alert alert
JOIN web_outgoingemail email ON email.purpose = 'alert'
    AND email.reference @> jsonb_build_object('log', alert.log, 'alert', alert.entry_index)
GROUP BY alert.log, alert.entry_index HAVING NOT bool_or(email.state = 'sent')
"""
SENT = """
SELECT id FROM web_outgoingemail WHERE purpose = 'alert' AND state = 'sent' AND sent_at > %s
"""
WAITS = """
SELECT EXISTS (SELECT FROM audit_block WHERE audited_to < known_to)
    OR EXISTS (SELECT FROM web_outgoingemail WHERE state = 'waiting' AND next_try_at < now())
    OR EXISTS (
        SELECT FROM ledger_entry entry JOIN ledger_log log ON log.id = entry.log_id
        WHERE entry.controller IS NOT NULL
        AND entry.index >= coalesce((SELECT max(audited_to) FROM audit_block block WHERE block.log = log.slug), 0)
    )
    OR EXISTS (
        SELECT FROM ledger_cursor cursor WHERE cursor.next_index <= (
            SELECT max(index) FROM ledger_entry WHERE log_id = cursor.log_id AND controller IS NOT NULL
        )
    )
"""
LAST_SAID = """
SELECT log.slug, max(entry.index) FROM ledger_entry entry JOIN ledger_log log ON log.id = entry.log_id
WHERE entry.controller IS NOT NULL GROUP BY log.slug
"""
BLOCKS = "SELECT log, number, generation, audited_to FROM audit_block ORDER BY log, number"
COVERAGE = "SELECT first, last FROM audit_coverage WHERE log = %s AND generation = %s AND first >= %s AND first < %s"

Row = tuple[Any, ...]
Manage = Callable[[str], "CompletedProcess[str]"]


@dataclass
class ServiceOutcome:
    """The final state of a service, and everything wrong with it."""

    figures: dict[str, int | float | str]
    findings: Counter[Row]
    cases: Counter[Row]
    alerts: Counter[Row]
    failures: list[str] = field(default_factory=list)


def is_settled(service: Service) -> bool:
    try:
        with service.connect() as database:
            return database.execute(WAITS).fetchone() == (False,)
    except psycopg.Error:
        return False


def check_service(service: Service, plans: Sequence[Plan], letters: Mailbox) -> ServiceOutcome:
    with service.connect() as database:
        return check_database(database, service.folder / "plans", plans, letters, service.manage)


def check_database(
    database: Any, folder: Path, plans: Sequence[Plan], letters: Mailbox, manage: Manage
) -> ServiceOutcome:
    """`folder` has the clients' files, `manage` runs a management command."""
    kept = ServiceOutcome(
        figures={},
        findings=findings_in(database),
        cases=Counter(_hashable_row(row) for row in database.execute(CASES)),
        alerts=Counter(_hashable_row(row) for row in database.execute(ALERTS, [FEED_DUTY])),
    )
    _check_acknowledged_lines(database, acknowledged_lines(folder, plans), plans, kept)
    _check_coverage(database, kept)
    _check_alerts(database, letters, kept)
    _check_verify_ledger(manage, kept)
    return kept


def findings_in(database: Any) -> Counter[Row]:
    """Without those about the feed."""
    return Counter(_hashable_row(row) for row in database.execute(FINDINGS, [list(ABOUT_THE_FEED)]))


def _hashable_row(row: Sequence[Any]) -> Row:
    return tuple(tuple(value) if isinstance(value, list) else value for value in row)


def _check_acknowledged_lines(database: Any, promised: Promised, plans: Sequence[Plan], kept: ServiceOutcome) -> None:
    """Every acknowledged line is there once, where the receipt said, and every planned line is there."""
    there: dict[tuple[str, str, int], set[tuple[int, str]]] = {}
    bodies: set[tuple[str, str, str]] = set()
    entries = 0
    for log, table, sequence, index, leaf, body in database.execute(ENTRIES):
        there.setdefault((log, table, sequence), set()).add((index, leaf))
        bodies.add((log, table, body))
        entries += 1
    lost = [place for place, where in promised.items() if not where <= there.get(place, set())]
    # Under one number, or with the same content under several.
    doubled = entries - min(len(there), len(bodies))
    planned = sum(plan.lines for plan in plans)
    kept.figures |= {"lines planned": planned, "acknowledged": len(promised), "in the ledger": entries}
    kept.figures |= {"lost": len(lost), "duplicates": doubled}
    if lost:
        kept.failures.append(f"{len(lost)} acknowledged lines are not where the receipt says, such as {lost[0]}.")
    if doubled:
        kept.failures.append(f"{doubled} lines are in the ledger more than once.")
    if not planned == len(promised) == entries:
        kept.failures.append(f"{planned} lines were said, {len(promised)} acknowledged, {entries} recorded.")


def _check_coverage(database: Any, kept: ServiceOutcome) -> None:
    """Each block is covered without gap or overlap, and so are the blocks of a log."""
    reached: dict[str, int] = {}
    for log, number, generation, audited_to in database.execute(BLOCKS).fetchall():
        place = number * BLOCK_ENTRIES
        if reached.get(log, 0) != place:
            kept.failures.append(f"The blocks of {log} have a gap before {place}.")
        spans = database.execute(COVERAGE, [log, generation, place, place + BLOCK_ENTRIES])
        for first, last in sorted(spans):
            if first != place:
                kept.failures.append(f"Coverage of {log} does not tile at {place}: the next range begins at {first}.")
            place = last
        if place != audited_to:
            kept.failures.append(f"Coverage of {log} ends at {place}, its work at {audited_to}.")
        reached[log] = place
    for log, last in database.execute(LAST_SAID):
        if reached.get(log, 0) <= last:
            kept.failures.append(f"{log} is covered up to {reached.get(log, 0)}, and its last line is entry {last}.")
    kept.figures["entries covered"] = sum(reached.values())


def _check_alerts(database: Any, letters: Mailbox, kept: ServiceOutcome) -> None:
    """Recorded as sent is not enough: the e-mail must be in the mailbox, at least once."""
    undelivered = database.execute(UNDELIVERED).fetchall()
    if undelivered:
        kept.failures.append(f"{len(undelivered)} alerts reached nobody, such as {undelivered[0]}.")
    arrived = Counter(str(letter["Message-ID"]).strip("<>").rpartition("@")[0] for letter in letters.messages)
    [since] = database.execute("SELECT min(received_at) FROM intake_batch").fetchone()
    sent = {f"alert.{pk}" for (pk,) in database.execute(SENT, [since])} if since else set()
    missing = sent - set(arrived)
    if missing:
        kept.failures.append(f"{len(missing)} letters recorded as sent never arrived, such as {min(missing)}.")
    kept.figures |= {"alerts about what was said": sum(kept.alerts.values()), "letters sent": len(sent)}
    kept.figures["letters that came twice"] = sum(count - 1 for count in arrived.values())


def _check_verify_ledger(manage: Manage, kept: ServiceOutcome) -> None:
    done = manage("verify_ledger")
    kept.figures["verify_ledger"] = "whole" if done.returncode == 0 else "does not fit"
    if done.returncode:
        kept.failures.append(f"verify_ledger ends with {done.returncode}: {(done.stdout + done.stderr)[-600:]}")


def compare_outcomes(troubled: ServiceOutcome, quiet: ServiceOutcome) -> list[str]:
    """Failures: every difference between the disturbed and the quiet service."""
    wrong = [f"In the undisturbed run: {failure}" for failure in quiet.failures]
    troubled.figures["findings, as in the undisturbed run"] = sum(troubled.findings.values())
    troubled.figures["of these reading-dependent wagers"] = sum(troubled.cases.values())
    for what in ("findings", "cases", "alerts"):
        ours, theirs = getattr(troubled, what), getattr(quiet, what)
        for said, odd in (("missing", theirs - ours), ("found only under disturbance", ours - theirs)):
            if odd:
                # The second column is the code or duty; one example of each is enough.
                one_of_each = {row[1]: row for row in sorted(odd, key=str, reverse=True)}
                shown = "; ".join(str(row) for row in one_of_each.values())
                wrong.append(f"{odd.total()} {what} are {said}, such as {shown}.")
    if not quiet.findings or not quiet.alerts:
        wrong.append("The undisturbed run found nothing or told nobody: nothing could be compared.")
    return wrong
