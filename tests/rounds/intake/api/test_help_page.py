"""The help page for integrators matches the code, and its example script runs as printed."""

import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from django.test import Client
from pytest_django.live_server_helper import LiveServer

from rounds.intake.protocol.envelope import LINE_KINDS
from tests.rounds.floor.crew import SECRET, Crew
from tests.rounds.intake.controller_client import feeder_at
from tests.rounds.intake.services.test_batches import entries_of_controllers


@pytest.fixture
def page(client: Client, db: None) -> str:
    return client.get("/help/integrators/").content.decode()


def test_every_kind_is_there_with_its_members_and_an_example(page: str) -> None:
    for kind in LINE_KINDS:
        assert f'id="kind-{kind.name}"' in page
        assert f'"kind": "{kind.name}"' in unescape(page)
    for words in ("Members of round", "Members of Wager", "whole number of cents, 1 or more, at most 100,000,000,000"):
        assert words in page


def test_every_link_to_a_part_leads_somewhere(page: str) -> None:
    wanted = {piece.partition('"')[0] for piece in page.split('href="#part-')[1:]}
    there = {piece.partition('"')[0] for piece in page.split('id="part-')[1:]}
    assert wanted <= there


def test_the_columns_of_a_csv_file_are_there(page: str) -> None:
    for column in ("gaming_day", "dice", "cards", "terminal", "returned"):
        assert f"<code>{column}</code>" in page


def test_every_refusal_is_there(page: str) -> None:
    for code in (
        "malformed-lines",
        "sequence-conflict",
        "foreign-table",
        "bad-signature",
        "too-many-batches",
        "unavailable",
    ):
        assert f"<code>{code}</code>" in page


def test_the_script_on_the_page_runs_as_it_stands_there(
    page: str, crew: Crew, live_server: LiveServer, tmp_path: Path
) -> None:
    feeder_at(crew)
    script = unescape(page.partition('<code id="send-a-line">')[2].partition("</code>")[0])
    (tmp_path / "send_a_line.py").write_text(script)
    pem = SECRET.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (tmp_path / "controller.pem").write_bytes(pem)
    for sequence, status in (("1", 0), ("1", 1)):
        run = subprocess.run(
            [sys.executable, "send_a_line.py", live_server.url, "controller.pem", "sb-1", sequence],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert run.returncode == status, run.stderr
    assert "sequence-conflict" in run.stderr
    assert [(entry.kind, entry.sequence) for entry in entries_of_controllers()] == [("table-opened", 1)]
