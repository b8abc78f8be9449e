"""Migrations match the models, and Django's deployment checks find nothing outside demo mode."""

import io
import os
import subprocess
import sys

import pytest
from django.core.management import call_command

from compliance.config.environment import PROJECT


@pytest.mark.django_db
def test_no_migration_is_missing() -> None:
    out = io.StringIO()
    call_command("makemigrations", check=True, dry_run=True, stdout=out)
    assert "No changes detected" in out.getvalue()


def check_deploy(**changes: str) -> "subprocess.CompletedProcess[str]":
    # Set by the browser tests.
    environment = {name: value for name, value in os.environ.items() if name != "DJANGO_ALLOW_ASYNC_UNSAFE"}
    return subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=PROJECT,
        env=environment | changes,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_deployment_checks_are_clean() -> None:
    secret = "".join(chr(33 + n % 90) for n in range(0, 900, 7))
    production = {"DEMO": "0", "SECRET_KEY": secret, "SITE_NAME": "fairthrow.example"}
    result = check_deploy(**production, EMAIL_URL="smtp://mail.example:587")
    assert result.returncode == 0, result.stderr
    assert "no issues" in result.stdout
    without_mail = check_deploy(**production)
    assert without_mail.returncode == 1
    assert "EMAIL_URL is not set: invitations and password resets would reach nobody." in without_mail.stderr


def test_the_same_checks_do_find_the_demo_unfit_for_deployment() -> None:
    result = check_deploy(DEMO="1")
    assert result.returncode == 1
    assert "SECURE_HSTS_SECONDS" in result.stderr
