"""The help page for integrators matches the code, and its example script runs as printed."""

import ast
import json
import re
import subprocess
import sys
from copy import deepcopy
from datetime import datetime, time
from html import unescape
from inspect import getsource
from pathlib import Path
from typing import Any, get_args
from zoneinfo import ZoneInfo

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from django.test import Client
from pytest_django.live_server_helper import LiveServer

from compliance.core.web.errors import (
    Refusal,
    TransactionConflict,
    Unavailable,
    WrongMethod,
    all_refusal_classes,
)
from compliance.core.web.http.load_shedding import Busy
from rounds.floor.facts.gaming_days import gaming_day_of
from rounds.intake import errors
from rounds.intake.api.help_page import CONDITIONS, VERDICT_MEANINGS
from rounds.intake.protocol.envelope import LINE_KINDS, parse_line
from rounds.intake.protocol.errors import (
    CODE_BY_MEMBER,
    LINE_ERRORS,
    SENTENCE_BY_CODE,
    MalformedLine,
    explain_validation_error,
)
from rounds.intake.protocol.examples import example_line
from rounds.intake.protocol.round import Verdict
from rounds.intake.services.quarantine import CONFLICT_CODE
from rounds.ledger import LogReadOnly
from rounds.transparency_log.formats import strict_json
from tests.rounds.floor.crew import SECRET, Crew
from tests.rounds.intake.controller_client import feeder_at
from tests.rounds.intake.services.test_batches import entries_of_controllers

INTAKE = Path(errors.__file__).parent
CALLS_WITH_CODE = ("MalformedLine", "EntryError", "reject_line")


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


def test_every_refusal_that_a_batch_can_meet_is_there(page: str) -> None:
    raised: set[type[Refusal]] = {
        Unavailable,
        TransactionConflict,
        Busy,
        LogReadOnly,
        WrongMethod,
        *refusals_named_by_the_intake(),
    }
    assert len(raised) > 15
    assert [refusal for refusal in raised if f"<code>{refusal.code}</code>" not in page] == []


def refusals_named_by_the_intake() -> set[type[Refusal]]:
    """Refusals in the code that answers a batch."""
    files = [*INTAKE.glob("api/*.py"), *INTAKE.glob("protocol/*.py"), INTAKE / "services" / "batches.py"]
    names = {node.id for file in files for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Name)}
    return {each for each in all_refusal_classes() if each.__module__ == errors.__name__ and each.__name__ in names}


def test_every_code_of_a_refused_line_is_there_with_its_cause_and_remedy(page: str) -> None:
    codes = {*CODE_BY_MEMBER.values(), *SENTENCE_BY_CODE, CONFLICT_CODE, *codes_in(getsource(explain_validation_error))}
    for source in [*INTAKE.glob("protocol/*.py"), INTAKE / "services" / "batches.py", Path(strict_json.__file__)]:
        calls = [node for node in ast.walk(ast.parse(source.read_text())) if isinstance(node, ast.Call)]
        made = [ast.unparse(call) for call in calls if ast.unparse(call.func) in CALLS_WITH_CODE]
        codes |= {code for call in made for code in codes_in(call)}
    assert codes == set(LINE_ERRORS)
    rows = unescape(page).partition("Codes of refused lines")[2].partition("</table>")[0]
    for code, error in LINE_ERRORS.items():
        assert f"<code>{code}</code>" in rows
        assert error.cause.split("`")[0] in rows
        assert error.remedy.split("`")[0] in rows


def codes_in(source: str) -> set[str]:
    texts = [node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)]
    return {text for text in texts if isinstance(text, str) and re.fullmatch(r"[a-z]+(-[a-z0-9]+)+", text)}


def test_every_verdict_is_explained(page: str) -> None:
    assert list(VERDICT_MEANINGS) == list(get_args(Verdict))
    assert all(f"<dt><code>{verdict}</code></dt>" in page for verdict in VERDICT_MEANINGS)


def without(kind: str, *path: str | int, **values: Any) -> bytes:
    """The example of a kind without a member, or with other values beside it."""
    line = deepcopy(example_line(kind))
    *way, last = path
    part = line["body"]
    for step in way:
        part = part[step]
    part.pop(last, None)
    part.update(values)
    return json.dumps(line).encode()


@pytest.mark.parametrize(
    ("struct", "member", "line", "code"),
    [
        ("Round", "dice", without("round", "dice"), "no-outcome"),
        ("Round", "cards", without("round", "x", cards=[1, 2, 3]), "two-results"),
        ("Round", "no_result", without("round", "dice"), "no-outcome"),
        ("Wager", "returned", without("round", "wagers", 0, "returned"), "bad-returned"),
        ("Wager", "returned", without("round", "wagers", 0, "x", verdict="open"), "bad-returned"),
        ("Wager", "player", without("round", "wagers", 0, "player"), "no-player"),
        ("Wager", "seat", without("round", "wagers", 1, "seat"), "no-player"),
        ("Wager", "terminal", without("round", "wagers", 1, "seat"), "no-player"),
        ("Change", "stake", without("round", "wagers", 1, "changes", 0, "stake"), "no-stake"),
        ("Change", "bet", without("round", "wagers", 1, "changes", 0, "x", what="moved"), "no-bet"),
        ("ChipsIssued", "seat", without("chips-issued", "seat"), "no-player"),
        ("ChipsRedeemed", "seat", without("chips-redeemed", "seat"), "no-player"),
        ("VoucherExchanged", "player", without("voucher-exchanged", "player"), "no-player"),
    ],
)
def test_a_member_that_depends_on_others_is_refused_as_the_page_says(
    page: str, struct: str, member: str, line: bytes, code: str
) -> None:
    with pytest.raises(MalformedLine) as refused:
        parse_line(line)
    assert refused.value.code == code
    assert CONDITIONS[struct][member] in page


def test_the_gaming_day_in_the_example_follows_from_the_cut_over(page: str) -> None:
    assert "With a cut-over at 06:00, a round that begins on 17 November 2026 at 02:30 has" in " ".join(page.split())
    assert '"gaming_day": "2026-11-16"' in unescape(page)


def test_subjects_that_integrators_ask_about_have_their_sections(page: str) -> None:
    for section in ("table", "heartbeat", "gaming-day", "verdicts", "conditions", "maximum", "corrections"):
        assert f'<h2 id="{section}">' in page
    assert "A heartbeat uses no sequence number" in page
    assert "the wager placed last is cut first" in page
    assert "that it accepted more than the maximum is found either way" in page
    assert "Sic Bo (New South Wales) (4.3)" in page
    assert "the table that issued them" in page


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


def test_the_script_computes_the_gaming_day_by_the_cut_over_of_the_casino(page: str) -> None:
    """Not the date in UTC: in Sydney most of a gaming day bears the next one."""
    script = unescape(page.partition('<code id="send-a-line">')[2].partition("</code>")[0])
    parts: list[ast.stmt] = [
        each
        for each in ast.parse(script).body
        if isinstance(each, ast.Import | ast.ImportFrom | ast.FunctionDef)
        or (isinstance(each, ast.Assign) and "CUT_OVER" in ast.unparse(each.targets[0]))
    ]
    names: dict[str, Any] = {}
    exec(ast.unparse(ast.Module(parts, [])), names)  # noqa: S102 - the script that the page shows
    for at in ("2026-11-16T15:30Z", "2026-11-16T18:59Z", "2026-11-16T19:00Z", "2026-11-16T23:30Z"):
        instant = datetime.fromisoformat(at)
        assert names["gaming_day_of"](instant) == gaming_day_of(instant, time(6), ZoneInfo("Australia/Sydney")), at
    assert '"gaming_day": gaming_day_of(sent_at)' in script


def test_what_is_refused_may_be_sent_again_and_what_lit_names(page: str) -> None:
    text = " ".join(page.split())
    assert "is still free: send the corrected line under it" in text
    assert "<code>lit</code></strong>: the areas of the wagers that the table offers" in text
