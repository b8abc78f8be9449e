"""Wakes a Celery task by name once the transaction has committed.
A lost message does no harm: the next sweep repeats it."""

from datetime import datetime
from typing import Any

import structlog
from celery import current_app
from celery.signals import before_task_publish
from django.db import transaction
from django.utils import timezone

logger = structlog.get_logger(__name__)

# One immediate retry: it renews a connection that Redis has closed, and an absent Redis costs no time.
PUBLISH_RETRY = {"max_retries": 1, "interval_start": 0, "interval_step": 0, "interval_max": 0}
# A wake message that was not consumed within this time is dropped; the next sweep sends another. Each batch publishes
# several, and a busy worker would otherwise work through all of them before it records its heartbeat.
EXPIRES_SECONDS = 30.0


def wake(task_name: str, **kwargs: Any) -> None:
    """Publishes the task after commit. Never raises: the caller's work is committed, and what is left to do is in
    Postgres. A message with arguments, such as whose password is to be reset, never expires: no sweep would repeat it.
    """
    expires = None if kwargs else EXPIRES_SECONDS

    def publish() -> None:
        try:
            current_app.send_task(task_name, kwargs=kwargs, expires=expires, retry=True, retry_policy=PUBLISH_RETRY)
        except Exception as error:
            logger.warning("bell_not_rung", task=task_name, error=str(error))

    transaction.on_commit(publish, robust=True)


def stamp_published_tasks() -> None:
    """Adds the publish time to every message, so that a task can measure how long it waited."""
    before_task_publish.connect(_stamp_publish_time, dispatch_uid="compliance.core.web.jobs.wake")


def _stamp_publish_time(headers: dict[str, Any] | None = None, **kwargs: Any) -> None:
    if headers is not None:
        headers["published_at"] = timezone.now().isoformat()


def published_at(task_request: Any) -> datetime | None:
    """When the message of a running task was published; None for a task called directly."""
    text = getattr(task_request, "published_at", None)
    return datetime.fromisoformat(text) if text else None
