"""Background work: waking a Celery task after commit, and advisory locks."""
