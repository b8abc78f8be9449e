"""What a rogue administrator could do to rows outside the log, each with what `verify_ledger` must report."""

from dataclasses import dataclass

from django.db.backends.utils import CursorWrapper


@dataclass(frozen=True)
class Tampering:
    """`statement` changes one row and returns the index of the entry that must be reported, or null.

    `first` is what even a superuser must remove before that."""

    name: str
    tables: tuple[str, ...]
    statement: str
    says: str
    first: str = "SELECT 1"

    def apply(self, admin: CursorWrapper) -> int | None:
        admin.execute(self.first)
        admin.execute(self.statement)
        [(index,)] = admin.fetchall()
        return None if index is None else int(index)


ELSE, GONE = "now says something else", "the row that was kept of it is gone"

TAMPERINGS = (
    Tampering(
        "posted odds changed behind the service's back",
        ("floor_fact",),
        """UPDATE floor_fact SET value = '{"odds": {"total:4": "50 to 1"}}' WHERE name = 'posted-odds'
           RETURNING entry_index""",
        ELSE,
    ),
    Tampering(
        "a rule version's pack edited",
        ("rulebook_frozenpack",),
        """UPDATE rulebook_frozenpack SET content = set_byte(content, 500, 255 - get_byte(content, 500))
           WHERE sha256 = (SELECT pack_id FROM rulebook_ruleversion WHERE rules = 'nsw-sic-bo')
           RETURNING (SELECT proposed_index FROM rulebook_ruleversion WHERE rules = 'nsw-sic-bo')""",
        "was edited after it was proposed",
        first="ALTER TABLE rulebook_frozenpack DROP CONSTRAINT frozen_pack_fits_its_digest",
    ),
    Tampering(
        "a rule version made to hold earlier",
        ("rulebook_ruleversion",),
        """UPDATE rulebook_ruleversion SET effective_at = effective_at - interval '1 day' WHERE rules = 'nsw-sic-bo'
           RETURNING approved_index""",
        ELSE,
    ),
    Tampering(
        "a finding deleted",
        ("audit_finding", "reviews_review"),
        """WITH gone AS (SELECT id FROM audit_finding WHERE code = 'SETTLE-OVERPAID' ORDER BY id DESC LIMIT 1),
           review AS (DELETE FROM reviews_review WHERE finding_id IN (SELECT id FROM gone))
           DELETE FROM audit_finding WHERE id IN (SELECT id FROM gone) RETURNING entry_index""",
        GONE,
    ),
    Tampering(
        "coverage faked: more was audited than was",
        ("audit_coverage",),
        "UPDATE audit_coverage SET last = last + 1 WHERE first = 0 RETURNING entry_index",
        ELSE,
    ),
    Tampering(
        "coverage faked: an audit that never was",
        ("audit_coverage",),
        """INSERT INTO audit_coverage (log, entry_index, first, last, generation, versions, engine_sha256,
           result_sha256, rounds, wagers, findings, audited_at)
           SELECT log, 3, 100000, 100001, generation, versions, engine_sha256, result_sha256, rounds, wagers, findings,
           audited_at FROM audit_coverage WHERE first = 0 RETURNING entry_index""",
        "a row claims to come from it, and does not",
    ),
    Tampering(
        "a decision altered",
        ("reviews_decision",),
        "UPDATE reviews_decision SET outcome = 'explained' WHERE outcome = 'upheld' RETURNING entry_index",
        ELSE,
    ),
    Tampering(
        "a finding's review closed without a decision",
        ("reviews_review",),
        """UPDATE reviews_review SET state = 'decided', outcome = 'explained' WHERE id = (
           SELECT max(id) FROM reviews_review WHERE state = 'open')
           RETURNING (SELECT entry_index FROM audit_finding WHERE id = finding_id)""",
        "its review is kept otherwise",
    ),
    Tampering(
        "a projection edited: what a round paid, as the audit reads it",
        ("audit_packedround",),
        """UPDATE audit_packedround SET wagers = set_byte(wagers, 1, 255 - get_byte(wagers, 1))
           WHERE entry_index = (SELECT max(entry_index) FROM audit_packedround) RETURNING entry_index""",
        "packed rounds",
    ),
    Tampering(
        "a projection edited: the last round of a table",
        ("desk_tablestate",),
        "UPDATE desk_tablestate SET round_name = 'r-1' RETURNING NULL::bigint",
        "tables as they stand",
    ),
    Tampering(
        "an alert's acknowledgement back-dated",
        ("alerts_alert",),
        """UPDATE alerts_alert SET acknowledged_at = acknowledged_at - interval '50 seconds'
           WHERE state = 'acknowledged' RETURNING entry_index""",
        "when and by whom it was acknowledged",
    ),
    Tampering(
        "an alert's acknowledgement back-dated, its step too",
        ("alerts_alert", "alerts_alertstep"),
        """WITH state AS (UPDATE alerts_alert SET acknowledged_at = acknowledged_at - interval '50 seconds'
           WHERE state = 'acknowledged')
           UPDATE alerts_alertstep SET at = at - interval '50 seconds' WHERE step = 'acknowledged'
           RETURNING entry_index""",
        ELSE,
    ),
    Tampering(
        "a dispute closed without its steps",
        ("disputes_dispute",),
        "UPDATE disputes_dispute SET state = 'closed' RETURNING entry_index",
        "standing elsewhere than its steps led to",
    ),
    Tampering(
        "a refused line replaced by a harmless one",
        ("intake_quarantined",),
        """UPDATE intake_quarantined SET line = convert_to(repeat(' ', octet_length(line)), 'UTF8')
           RETURNING entry_index""",
        ELSE,
    ),
    Tampering(
        "a role given past the service",
        ("accounts_roleheld",),
        """INSERT INTO accounts_roleheld (user_id, casino_id, role, given_at)
           SELECT user_id, casino_id, 'inspector', given_at FROM accounts_roleheld WHERE role = 'casino-supervisor'
           LIMIT 1 RETURNING NULL::bigint""",
        "is kept as inspector here, and no entry gave that",
    ),
    Tampering(
        "terms of a promotion changed after filing",
        ("terms_termsversion",),
        """UPDATE terms_termsversion SET content = replace(content, 'Spring Draw', 'Autumn Draw')
           WHERE number = 1 RETURNING entry_index""",
        ELSE,
        first="ALTER TABLE terms_termsversion DROP CONSTRAINT terms_fit_their_digest",
    ),
    Tampering(
        "a promotion's last day moved",
        ("terms_termsversion",),
        "UPDATE terms_termsversion SET ends_at = ends_at + interval '1 day' WHERE number = 1 RETURNING entry_index",
        "are not those that were filed",
    ),
    Tampering(
        "a record moved to another casino",
        ("floor_table",),
        """UPDATE floor_table SET casino_id = (SELECT id FROM accounts_casino WHERE slug = 'marina')
           WHERE slug = 'sb-2' RETURNING entry_index""",
        "names another casino",
    ),
    Tampering(
        "a record said to be older than it is",
        ("floor_fact",),
        """UPDATE floor_fact SET recorded_at = recorded_at - interval '1 hour' WHERE name = 'posted-odds'
           RETURNING entry_index""",
        "was written at another time",
    ),
    Tampering(
        "a controller's signature replaced",
        ("intake_batch",),
        """UPDATE intake_batch SET signature = set_byte(signature, 0, 255 - get_byte(signature, 0))
           WHERE first_index = (SELECT max(first_index) FROM intake_batch) RETURNING first_index""",
        "signed batches",
    ),
    Tampering(
        "the patron's details rewritten",
        ("disputes_statement",),
        "UPDATE disputes_statement SET text = 'It lay on nine.' RETURNING "
        "(SELECT entry_index FROM disputes_dispute WHERE id = dispute_id)",
        ELSE,
    ),
    Tampering(
        "the time of a checkpoint changed",
        ("ledger_checkpoint",),
        """UPDATE ledger_checkpoint SET signed_at = signed_at - interval '1 microsecond'
           WHERE log_id = (SELECT id FROM ledger_log WHERE slug = 'harbour')
           AND size = (SELECT max(size) FROM ledger_checkpoint) RETURNING NULL::bigint""",
        "is not the one that was signed with it",
    ),
    Tampering(
        "a log said to be older than it is",
        ("ledger_log",),
        """UPDATE ledger_log SET opened_at = opened_at - interval '1 year' WHERE slug = 'harbour'
           RETURNING NULL::bigint""",
        "the time at which the log was opened",
    ),
    Tampering(
        "a time that no calendar has",
        ("audit_finding",),
        """UPDATE audit_finding SET at = '200000-01-01 00:00:00+00' WHERE id = (SELECT max(id) FROM audit_finding)
           RETURNING entry_index""",
        "can no longer be read",
    ),
)
