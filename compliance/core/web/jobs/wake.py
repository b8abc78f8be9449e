"""Ring a Celery task by name, once the transaction has committed. A ring that is lost is found by the next sweep."""

from datetime import datetime
from typing import Any

import structlog
from celery import current_app
from celery.signals import before_task_publish
from django.db import transaction
from django.utils import timezone

logger = structlog.get_logger(__name__)

# Two quick tries: a connection that Redis closed meanwhile is renewed, an absent Redis costs no one any time.
PUBLISH_RETRY = {"max_retries": 1, "interval_start": 0, "interval_step": 0, "interval_max": 0}
# A bell that nobody heard for so long is dropped: the next sweep rings again. Each batch rings several, and a worker
# that is busy would else work through all of them before it comes to its own sign of life.
EXPIRES_SECONDS = 30.0


def wake(task_name: str, **kwargs: Any) -> None:
    """Never raises: the caller's work is committed, and Postgres, not Redis, remembers what is left to do.

    A message that says something, such as whose password is to be reset, waits for as long as it must.
    """
    expires = None if kwargs else EXPIRES_SECONDS

    def publish() -> None:
        try:
            current_app.send_task(task_name, kwargs=kwargs, expires=expires, retry=True, retry_policy=PUBLISH_RETRY)
        except Exception as error:
            logger.warning("bell_not_rung", task=task_name, error=str(error))

    transaction.on_commit(publish, robust=True)


def stamp_published_tasks() -> None:
    """Every message says when it was published, so that a task can tell how long it waited."""
    before_task_publish.connect(_stamp_publish_time, dispatch_uid="compliance.core.web.jobs.wake")


def _stamp_publish_time(headers: dict[str, Any] | None = None, **kwargs: Any) -> None:
    if headers is not None:
        headers["published_at"] = timezone.now().isoformat()


def published_at(task_request: Any) -> datetime | None:
    """When the message of a running task was published; None for a task called directly."""
    text = getattr(task_request, "published_at", None)
    return datetime.fromisoformat(text) if text else None
