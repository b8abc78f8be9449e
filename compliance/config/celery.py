"""The Celery application. Tasks are found in each app's tasks.py; beat's list is in schedule.py."""

import os
import warnings
from typing import Any

import structlog
from celery import Celery, Task
from celery.signals import setup_logging, worker_init
from django_structlog.celery.steps import DjangoStructLogInitStep

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "compliance.config.settings")

logger = structlog.get_logger(__name__)


class ReadOnlyTolerantTask(Task[Any, Any]):
    """A task that wants to record in a log which is read-only has done what it can: the next ring tries again."""

    abstract = True

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        from rounds.ledger import LogReadOnly

        try:
            return super().__call__(*args, **kwargs)
        except LogReadOnly as refusal:
            logger.info("task_waits", task=self.name, log=refusal.log)


app = Celery("fairthrow", task_cls=ReadOnlyTolerantTask)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# The request id of whoever rang goes into every log line of the task.
app.steps["worker"].add(DjangoStructLogInitStep)

# A container's only user is often root; /help/production/ says to give the service its own.
warnings.filterwarnings("ignore", message="You're running the worker with superuser privileges")


@setup_logging.connect
def keep_django_logging(**kwargs: object) -> None:
    """Celery would otherwise replace the structured handlers that settings.LOGGING set up."""


@worker_init.connect
def check_ledger_before_work(**kwargs: object) -> None:
    from compliance.config.startup_checks import compare_ledger_with_checkpoints, require_ledger_guards
    from rounds.ledger import verify

    try:
        require_ledger_guards()
    except verify.DatabaseGuardsMissing as error:
        # Celery only logs what a signal's receiver raises, unless it is this.
        raise SystemExit(str(error)) from error
    compare_ledger_with_checkpoints()


@app.on_after_finalize.connect
def schedule_periodic_tasks(sender: Celery, **kwargs: object) -> None:
    from compliance.config.schedule import PERIODIC_TASKS
    from compliance.core.web.jobs.wake import EXPIRES_SECONDS

    for bell in PERIODIC_TASKS:
        # A ring that later ones have overtaken is not needed any more. It outlives those that batches ring: behind a
        # queue of these, the worker's sign of life must still be heard.
        expires = max(bell.seconds, 2 * EXPIRES_SECONDS)
        sender.add_periodic_task(bell.seconds, sender.signature(bell.task), name=bell.task, expires=expires)
