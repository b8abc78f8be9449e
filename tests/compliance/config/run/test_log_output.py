"""Ordinary events log no warnings, and an embedded server's log is rotated."""

import logging
from pathlib import Path
from types import SimpleNamespace

import pytest
from django_structlog.celery.receivers import CeleryReceiver

from compliance.config.environment import PROJECT
from compliance.config.run.embedded_servers import LOG_BYTES, rotate_log


def test_a_ring_that_expired_is_no_warning(caplog: pytest.LogCaptureFixture) -> None:
    ring = SimpleNamespace(id="7", task="compliance.core.web.tasks.record_heartbeat")
    with caplog.at_level(logging.DEBUG, logger="django_structlog"):
        CeleryReceiver().receiver_task_revoked(request=ring, terminated=False, expired=True)
    [said] = caplog.records
    assert "task_revoked" in said.getMessage()
    assert said.levelno == logging.INFO


def test_a_log_that_is_too_long_begins_anew_and_its_end_is_kept(tmp_path: Path) -> None:
    log, former = tmp_path / "postgres.log", tmp_path / "postgres.log.1"
    rotate_log(log, 20)
    # Open for appending the whole time, as the server has it.
    with log.open("ab", buffering=0) as server:
        server.write(b"0123456789" * 2)
        rotate_log(log, 20)
        assert (log.read_bytes(), former.exists()) == (b"0123456789" * 2, False)
        server.write(b"!")
        rotate_log(log, 20)
        assert (log.read_bytes(), former.read_bytes()) == (b"", b"1234567890123456789!")
        server.write(b"next")
        assert log.read_bytes() == b"next"
        server.write(b"x" * 1000)
        rotate_log(log, 20)
        assert (log.read_bytes(), former.read_bytes()) == (b"", b"x" * 20)


def test_the_help_page_says_how_long_it_may_grow() -> None:
    said = (PROJECT / "templates" / "docs" / "backup.html").read_text()
    assert f"grown past {LOG_BYTES // 2**20} MiB" in said
    assert f"last {LOG_BYTES // 2**20} MiB stay" in said
