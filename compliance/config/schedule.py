"""Celery beat's periodic tasks and their intervals. All are idempotent: a lost or repeated run changes nothing."""

from dataclasses import dataclass


@dataclass(frozen=True)
class PeriodicTask:
    task: str
    seconds: float


PERIODIC_TASKS = (
    PeriodicTask("compliance.core.web.tasks.record_heartbeat", seconds=10.0),
    PeriodicTask("compliance.core.web.tasks.send_emails", seconds=5.0),
    PeriodicTask("rounds.ledger.tasks.sign_every_log", seconds=60.0),
    # Each log is verified once a day or on request; the task only checks whether that is due.
    PeriodicTask("rounds.ledger.tasks.verify_every_log", seconds=60.0),
    PeriodicTask("rounds.ledger.tasks.update_search_index", seconds=5.0),
    PeriodicTask("rounds.intake.tasks.consume_controller_reports", seconds=5.0),
    PeriodicTask("rounds.intake.tasks.record_silent_feeds", seconds=10.0),
    PeriodicTask("compliance.privacy.personal_data.tasks.destroy_due_details", seconds=3600.0),
    PeriodicTask("compliance.notify.alerts.tasks.escalate_alerts", seconds=5.0),
    PeriodicTask("compliance.notify.alerts.tasks.consume_feeds", seconds=5.0),
    PeriodicTask("compliance.tables.signs.tasks.update_signs", seconds=10.0),
    PeriodicTask("compliance.tables.limit_notices.tasks.advance_notices", seconds=5.0),
    PeriodicTask("compliance.tables.closures.tasks.consume_closings", seconds=5.0),
    PeriodicTask("compliance.tables.equipment.tasks.consume_equipment_entries", seconds=5.0),
    PeriodicTask("compliance.disputes.tasks.send_reminders", seconds=60.0),
    PeriodicTask("compliance.disputes.tasks.delete_old_drafts", seconds=3600.0),
    PeriodicTask("compliance.audit.tasks.audit", seconds=5.0),
    PeriodicTask("compliance.audit.tasks.predict", seconds=15.0),
    # Each gaming day is examined once, when it is over; the task only checks whether one is due.
    PeriodicTask("compliance.analysis.fairness.tasks.examine_casinos", seconds=60.0),
    PeriodicTask("compliance.analysis.what_if.tasks.run_trials", seconds=15.0),
    PeriodicTask("compliance.inspection.checklists.tasks.draw_samples", seconds=15.0),
    PeriodicTask("compliance.transparency.ledger_pages.tasks.build_bundles", seconds=15.0),
    PeriodicTask("compliance.transparency.ledger_pages.tasks.remove_expired_bundles", seconds=3600.0),
    PeriodicTask("compliance.transparency.witness_registry.tasks.check_witness_lag", seconds=60.0),
    PeriodicTask("compliance.inspection.reviews.tasks.consume_findings", seconds=5.0),
    PeriodicTask("compliance.inspection.reviews.tasks.reopen_accepted", seconds=60.0),
    PeriodicTask("compliance.inspection.reviews.tasks.remind_of_unanswered", seconds=60.0),
    PeriodicTask("compliance.reports.tasks.run_report_jobs", seconds=15.0),
    # At most one entry a minute, which limits what a quiet floor adds to the log.
    PeriodicTask("compliance.transparency.wager_proofs.tasks.commit_wagers", seconds=60.0),
    # Most views are due once a gaming day or week; the task only checks whether one is.
    PeriodicTask("compliance.notify.saved_views.tasks.find_new_rows", seconds=60.0),
    PeriodicTask("compliance.notify.webhooks.tasks.deliver_webhooks", seconds=5.0),
    PeriodicTask("compliance.pages.tasks.consume_table_entries", seconds=5.0),
)
