"""What beat rings, and how often. A lost or doubled ring changes nothing."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Bell:
    task: str
    seconds: float


BELLS = (
    Bell("compliance.web.tasks.pulse", seconds=10.0),
    Bell("rounds.ledger.tasks.sign_every_log", seconds=60.0),
    # Each log is verified once a day, or when somebody asks; the ring only asks whether one is due.
    Bell("rounds.ledger.tasks.verify_every_log", seconds=60.0),
    Bell("rounds.ledger.tasks.note_mentions", seconds=5.0),
    Bell("rounds.floor.tasks.follow_reports", seconds=5.0),
    Bell("rounds.intake.tasks.watch_feeds", seconds=10.0),
    Bell("compliance.patrons.tasks.destroy_what_is_due", seconds=3600.0),
    Bell("compliance.alerts.tasks.tell_people", seconds=5.0),
    Bell("compliance.alerts.tasks.follow_feeds", seconds=5.0),
    Bell("compliance.signs.tasks.watch_signs", seconds=10.0),
    Bell("compliance.notices.tasks.advance_notices", seconds=5.0),
    Bell("compliance.closures.tasks.follow_closings", seconds=5.0),
    Bell("compliance.equipment.tasks.follow_equipment", seconds=5.0),
    Bell("compliance.disputes.tasks.remind", seconds=60.0),
    Bell("compliance.disputes.tasks.throw_away_drafts", seconds=3600.0),
    Bell("compliance.audit.tasks.audit", seconds=5.0),
    # Each gaming day is examined once, when it is over; the ring only asks whether one is due.
    Bell("compliance.fairness.tasks.examine", seconds=60.0),
    Bell("compliance.trials.tasks.try_rules", seconds=15.0),
    Bell("compliance.checklists.tasks.draw_samples", seconds=15.0),
    Bell("compliance.evidence.tasks.prepare_bundles", seconds=15.0),
    Bell("compliance.evidence.tasks.remove_old_bundles", seconds=3600.0),
    Bell("compliance.witnesses.tasks.watch_witnesses", seconds=60.0),
    Bell("compliance.reviews.tasks.follow_findings", seconds=5.0),
    Bell("compliance.reviews.tasks.reopen_accepted", seconds=60.0),
    Bell("compliance.reviews.tasks.remind_of_unanswered", seconds=60.0),
    Bell("compliance.reports.tasks.make_reports", seconds=15.0),
    # One entry a minute at the most, however quiet the tables are.
    Bell("compliance.proofs.tasks.commit_wagers", seconds=60.0),
    # Most views are due once a gaming day or week; the ring only asks whether one is.
    Bell("compliance.saved.tasks.tell_news", seconds=60.0),
    Bell("compliance.webhooks.tasks.tell_systems", seconds=5.0),
    Bell("compliance.desk.tasks.follow_tables", seconds=5.0),
)
