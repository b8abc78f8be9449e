"""Every entry kind that people write can be withdrawn through compliance.core.corrections, or it is named here with the
reason why not. A new kind needs either."""

from django.apps import apps

from compliance.core.corrections.registry import correctable_of
from rounds.ledger import WithdrawableModel
from rounds.ledger.entry_kinds import registered_kinds

MACHINES = (
    "controller-correction", "feed-conflict", "feed-quarantined", "feed-returned", "feed-signature", "feed-silent",
    "feed-unknown-key", "limits-changed", "posted-odds-shown", "streak-state", "terminal-interrupted",
    "terminal-restored", "voucher-exchanged",
)  # fmt: skip
SERVICE = (
    "alert-escalated", "alert-failed", "alert-raised", "alert-sent", "audit-coverage", "disclosed", "fairness-examined",
    "fairness-signal", "finding", "finding-reopened", "finding-superseded", "ledger-verified", "limit-notice-lapsed",
    "report-key", "report-signed", "wagers-committed", "webhook-failed", "webhook-switched-off", "witness-disagreed",
)  # fmt: skip
ACCOUNTS = (
    "account-disabled", "account-enabled", "account-identity-linked", "account-identity-offered",
    "account-identity-removed", "account-invitation-accepted", "account-invitation-withdrawn", "account-invited",
    "account-invited-again", "account-password-changed", "account-password-reset", "account-recovery-codes-made",
    "account-role-ended", "account-role-given", "account-second-factor-enrolled", "account-second-factor-reset",
    "account-unlocked",
)  # fmt: skip
CHANGED_BY_THE_NEXT = (
    "alert-ladder-set", "dispute-own-procedure", "dispute-service-level", "report-schedule-changed",
    "report-scheduled", "retention-set", "review-arrangement", "webhook-changed", "webhook-switched-on",
)  # fmt: skip

REASONS: dict[str, tuple[str, ...]] = {
    "A controller or the intake reports it; a controller corrects its own lines.": MACHINES,
    "The service records it by itself, from what others recorded.": SERVICE,
    "It changes what an account may do, at once. The opposite act is an entry of its own.": ACCOUNTS,
    "A setting: the newest applies, and an earlier one is never withdrawn from under what followed it.": (
        CHANGED_BY_THE_NEXT
    ),
    "A withdrawal cannot be withdrawn: what was right is recorded anew.": ("correction",),
    "A file was made, sent or shown; that cannot be undone.": (
        "dispute-letter", "evidence-exported", "personal-looked", "report-made", "wager-proof-made",
    ),
    "The withdrawal or end of another record, which is recorded anew instead.": (
        "api-token-revoked", "controller-key-revoked", "controller-table-ended", "limit-notice-withdrawn",
        "player-limit-ended", "prescribed-prize-removed", "rule-version-withdrawn", "sign-display-ended",
        "table-retired", "terminal-retired", "wager-proof-withdrawn", "webhook-removed", "witness-ended",
    ),
    "It has a withdrawal or an end of its own, with a reason, on the record's own page.": (
        "api-token-made", "closure", "controller-key-approved", "controller-key-proposed", "controller-table-given",
        "limit-notice", "personal-held", "prescribed-prize-listed", "rule-version-proposed", "sign-display-added",
        "table-added", "table-facts", "terminal-added", "webhook-registered", "witness-registered",
    ),
    "It came into force by a fact of the table, and the fact is retracted.": ("limit-notice-in-force",),
    "Rounds were played under it. Another version or ruling follows it, and the audit reads the history.": (
        "reading-ruled", "rule-version-approved",
    ),
    "A sample that could be withdrawn could be drawn again until it pleases.": ("sample-drawn", "sample-seeded"),
    "Nothing is signed yet: it is left unfinished, or superseded by another checklist.": ("checklist-begun",),
    "The patron's complaint itself. It is withdrawn or closed by its own steps, never removed.": (
        "dispute", "dispute-matter",
    ),
    "Personal data is gone, and no entry brings it back.": ("personal-destroyed",),
    "Which line entered the log was decided by it; that entry is corrected instead.": ("quarantine-dealt-with",),
    "That somebody had read the alert, and when, is what the audit measures.": ("alert-acknowledged",),
    "What somebody knew before they confirmed. The record itself is withdrawn.": ("warning-confirmed",),
    "Only at the command line, by those who run the service.": ("ledger-epoch", "ledger-key-changed"),
    "A terminal's identity; a wrong one is replaced by another controller.": ("controller-registered",),
}  # fmt: skip


def test_every_kind_can_be_withdrawn_or_has_a_reason_why_not() -> None:
    exempt = [kind for kinds in REASONS.values() for kind in kinds]
    assert len(exempt) == len(set(exempt)), "exempt twice"
    kinds = {str(kind) for kind in registered_kinds() if not kind.startswith("test-")}
    correctable = {kind for kind in kinds if correctable_of(kind) is not None}
    assert kinds - correctable - set(exempt) == set(), "neither can be withdrawn nor is exempt"
    assert correctable & set(exempt) == set(), "exempt, and can be withdrawn"
    assert set(exempt) - kinds == set(), "exempt, and not a kind"


def test_a_withdrawn_row_is_left_out_by_its_model() -> None:
    """The default manager of a WithdrawableModel leaves withdrawn rows out, so that no query counts them by mistake."""
    for kind in registered_kinds():
        if correctable_of(kind) is not None and kind.model:
            assert issubclass(apps.get_model(kind.model), WithdrawableModel), kind
