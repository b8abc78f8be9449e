"""Every finding code is complete: one entry in the catalogue, a check, a breach case; and nothing else names it."""

import re
from html import unescape
from importlib import import_module
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from compliance.audit.catalogue import (
    ALL_CODES,
    CODES_BY_NAME,
    FAMILIES,
    FAMILY_BY_PREFIX,
    play_codes,
    record_codes,
    table_codes,
)
from compliance.audit.catalogue.finding_code import OWN_DUTY, FindingCode, Severity, clauses_for
from compliance.audit.checks import TIMELINE_CHECKS, checked_codes, feed, round_codes
from compliance.audit.checks.applicability import codes_by_clause
from compliance.audit.models.findings import CODE_FORMAT
from rounds.rulepacks import shipped_packs
from rounds.simulator.fault_selection import select_faults
from tests.compliance.audit.round_builders import pack_of

ROOT = Path(settings.BASE_DIR)
WORD_LIKE_A_CODE = re.compile(rf"(?<![\w-])(?:{'|'.join(FAMILY_BY_PREFIX)})(?:-[A-Z0-9]+)+(?![\w-])")


@pytest.mark.parametrize("code", ALL_CODES, ids=lambda code: code.name)
def test_an_entry_is_complete_and_has_a_check_and_a_breach_case(code: FindingCode) -> None:
    assert re.fullmatch(CODE_FORMAT, code.name)
    assert code.severity in Severity
    assert code.meaning.endswith(".")
    said = code.format_sentence(what="WHAT", required="REQUIRED", found="FOUND")
    assert said.endswith(".")
    assert "FOUND" in said or "REQUIRED" in said
    if code.name.startswith("SETTLE-"):
        assert "FOUND" in said
        assert "REQUIRED" in said
    assert (code in checked_codes()) is (code.retired is None), "no check can draft it"
    assert (code.name in select_faults("all").codes) is (code.retired is None), "the simulator has no breach case"
    assert code.retired is None or code.retired.reason.endswith(".")


@pytest.mark.parametrize(
    "code", [code for code in ALL_CODES if code.clause_key != OWN_DUTY], ids=lambda code: code.name
)
def test_a_clause_key_leads_to_clauses_of_some_document_and_the_clause_to_the_code(code: FindingCode) -> None:
    found = [(pack, clause) for pack in shipped_packs() for clause in clauses_for(pack, code) if clause in pack.clauses]
    assert found, f"no document has a clause for {code.name} at {code.clause_key}"
    for pack, clause in found:
        assert not code.applies_to(pack) or code in [one.code for one in codes_by_clause(pack)[clause]]


def test_a_code_that_an_act_can_cause_says_what_to_do_instead() -> None:
    """People record rounds from paper and every kind of event but those of the feed. An outcome is no breach."""
    checks = [check for check in TIMELINE_CHECKS if check not in feed.TIMELINE_CHECKS]
    caused = round_codes().union(*(check.codes for check in checks))
    assert sorted(code.name for code in caused if not code.remedy and not code.is_outcome) == []
    assert [code.name for code in ALL_CODES if code.remedy and not re.fullmatch(r"[A-Z][^\n]*\.", code.remedy)] == []


def test_each_code_is_once_in_the_catalogue_under_its_own_name() -> None:
    modules = (play_codes, table_codes, record_codes)
    named = {name: code for module in modules for name, code in vars(module).items() if isinstance(code, FindingCode)}
    assert {name: code.name.replace("-", "_") for name, code in named.items()} == {name: name for name in named}
    assert len(ALL_CODES) == len(CODES_BY_NAME) == len(named)
    assert sorted(code.name for codes in FAMILIES.values() for code in codes) == sorted(CODES_BY_NAME)


def test_no_released_code_was_renamed_or_removed() -> None:
    """The first release had its codes in a check constraint."""
    operations = import_module("compliance.audit.migrations.0001_audit").Migration.operations
    constraints = [
        each for operation in operations for each in getattr(operation, "options", {}).get("constraints", ())
    ]
    [listed] = [each for each in constraints if each.name == "audit_finding_is_in_the_catalogue"]
    [(_, released)] = listed.condition.children
    assert len(released) == 90
    assert set(released) <= set(CODES_BY_NAME)


def test_only_the_catalogue_writes_codes_as_text() -> None:
    """Everything in compliance/ and promotions/ refers to a code by its constant."""
    catalogue = ROOT / "compliance/audit/catalogue"
    files = [path for folder in ("compliance", "promotions") for path in (ROOT / folder).rglob("*.py")]
    written = {
        (path.name, text)
        for path in files
        if catalogue not in path.parents and path.parent.name != "migrations"
        for text in re.findall(r'"([A-Z]+(?:-[A-Z0-9]+)+)"', path.read_text())
        if text in CODES_BY_NAME
    }
    assert written == set()


def test_help_pages_docstrings_simulator_and_witness_name_codes_that_exist() -> None:
    """The simulator and the witness do not import the catalogue: they must not share its errors."""
    folders = ("compliance/audit", "rounds/simulator", "rounds/witness")
    files = [*(ROOT / "templates").rglob("*.html"), *(path for each in folders for path in (ROOT / each).rglob("*.py"))]
    named = {word for path in files for word in WORD_LIKE_A_CODE.findall(path.read_text())}
    assert named - set(CODES_BY_NAME) == set()
    assert len(named) == len(CODES_BY_NAME)


def test_clauses_are_those_of_the_document_and_none_where_it_is_silent() -> None:
    assert clauses_for(pack_of("nsw-sic-bo"), CODES_BY_NAME["LIMIT-SHORT-NOTICE"]) == ("4.5",)
    assert clauses_for(pack_of("mbs-3-card-sic-bo"), CODES_BY_NAME["LIMIT-SHORT-NOTICE"]) == ()


@pytest.mark.django_db
def test_the_help_page_prints_every_code(client: Client) -> None:
    page = client.get("/help/findings/").content.decode()
    assert [code.name for code in ALL_CODES if f"<code>{code.name}</code>" not in page] == []
    assert f"There are {len(ALL_CODES)} codes." in page


@pytest.mark.django_db
def test_the_help_page_has_an_anchor_per_code_with_its_sentence_remedy_and_clauses(client: Client) -> None:
    """The warning before an act links to the anchor of a code."""
    page = unescape(client.get("/help/findings/").content.decode())
    for code in ALL_CODES:
        [entry] = re.findall(rf'<tr id="{code.name}">(.*?)</tr>', page, re.DOTALL)
        assert code.help_url == f"/help/findings/#{code.name}"
        assert code.severity.tag.label in entry
        assert f"“{code.format_sentence(what='…', required='…', found='…')}”" in entry
        assert code.remedy or code.is_outcome, code.name
        assert code.remedy in entry
        for pack in shipped_packs():
            bound = [clause for clause, one in pack.clauses.items() if f"check:{code.name}" in one.bind]
            assert (f"<p>{pack.title}: {', '.join(bound)}</p>" in entry) is bool(bound), (code.name, pack.slug)


def test_codes_say_where_unreported_lights_and_other_removals_are_found() -> None:
    for code in ("FAULT-PLAY", "FAULT-NOT-TOLD"):
        assert "without a fault report are found at the next round" in CODES_BY_NAME[code].meaning
    assert "removed for another reason may be put to use again" in CODES_BY_NAME["DICE-DAMAGED"].meaning
