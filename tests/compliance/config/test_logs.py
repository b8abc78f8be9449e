"""What the log says of everyday things: nothing that reads like trouble."""

import logging
from types import SimpleNamespace

import pytest
from django_structlog.celery.receivers import CeleryReceiver


def test_a_ring_that_expired_is_no_warning(caplog: pytest.LogCaptureFixture) -> None:
    ring = SimpleNamespace(id="7", task="compliance.web.tasks.pulse")
    with caplog.at_level(logging.DEBUG, logger="django_structlog"):
        CeleryReceiver().receiver_task_revoked(request=ring, terminated=False, expired=True)
    [said] = caplog.records
    assert "task_revoked" in said.getMessage()
    assert said.levelno == logging.INFO
