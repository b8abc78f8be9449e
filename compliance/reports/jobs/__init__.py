"""Background work: requests for reports, their generation by a worker, schedules, size limits, e-mail outbox."""
