"""The Celery application. Tasks are discovered in each app's tasks.py; the periodic ones are listed in schedule.py."""

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
    """Base class of all tasks: a log that is read-only ends the task without an error, because the next run retries."""

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
# Binds the request id of the sender to every log line of the task.
app.steps["worker"].add(DjangoStructLogInitStep)

# In a container the only user is often root; /help/production/ says to use a separate one.
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
        # Celery logs and ignores other exceptions in a signal receiver; SystemExit stops the worker.
        raise SystemExit(str(error)) from error
    compare_ledger_with_checkpoints()


@app.on_after_finalize.connect
def schedule_periodic_tasks(sender: Celery, **kwargs: object) -> None:
    from compliance.config.schedule import PERIODIC_TASKS
    from compliance.core.web.jobs.wake import EXPIRES_SECONDS

    for periodic in PERIODIC_TASKS:
        # A run that a later one replaces is not needed any more. At least twice the expiry of wake-ups sent after
        # batches, so that the worker's heartbeat is not lost behind a queue of those.
        expires = max(periodic.seconds, 2 * EXPIRES_SECONDS)
        sender.add_periodic_task(periodic.seconds, sender.signature(periodic.task), name=periodic.task, expires=expires)
