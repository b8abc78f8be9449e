"""Help pages for those who run the service: production, capacity, backup, runbook, drills."""
