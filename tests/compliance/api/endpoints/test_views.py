"""Endpoints: findings, rounds with verifiable proofs, coverage, reports; pages neither repeat nor skip records."""

import base64
import hashlib
from pathlib import Path

import pytest
from pytest_django import DjangoAssertNumQueries

from compliance.privacy.access_log.models import Disclosure
from rounds.ledger.signing.checkpoints import sign_log, verifier_key_for
from rounds.transparency_log.formats.signed_note import open_checkpoint
from rounds.transparency_log.tree.merkle import leaf_hash, verify_inclusion
from tests.compliance.api.api_client import HARBOUR, ApiClient
from tests.compliance.audit.round_builders import wager
from tests.compliance.inspection.reviews.scenario import ReviewScenario
from tests.compliance.reports.report_builder import make_report


@pytest.fixture
def system(office: ReviewScenario) -> ApiClient:
    return ApiClient(office)


def test_a_finding_is_told_with_both_amounts_and_its_clause(office: ReviewScenario, system: ApiClient) -> None:
    [review] = office.overpay()
    page = system.read("findings")
    [found] = page["findings"]
    assert (found["code"], found["severity"], found["table"]) == ("SETTLE-OVERPAID", "serious", "sb-1")
    assert (found["required_cents"], found["found_cents"]) == (5000, 5100)
    assert (found["rules"], found["rule_version"], found["wager"]) == ("nsw-sic-bo", 1, "w-7")
    assert found["index"] == review.finding.entry_index
    assert found["at"].endswith("Z")
    assert (page["has_more"], page["casino"]) == (False, "harbour")
    assert system.read(f"findings/{found['index']}") == found


def test_a_finding_about_one_wager_has_no_cases(office: ReviewScenario, system: ApiClient) -> None:
    office.overpay()
    [found] = system.read("findings")["findings"]
    assert (found["tables"], found["wagers"]) == (["sb-1"], None)
    assert system.read(f"findings/{found['index']}/cases")["cases"] == []
    assert system.refused("findings/0/cases") == (404, "not-found")


class TestReadings:
    """Even paid on 10, which a reading allows that was not adopted: twice at one table, once at another."""

    @pytest.fixture
    def rounds(self, office: ReviewScenario) -> list[int]:
        office.house.open_tables_with_even("sb-1", "sb-2")
        played = [
            office.house.play((4, 2, 4), wager("even", stake, 2 * stake, id=f"e-{stake}"), table=name)
            for name, stake in (("sb-2", 1_000), ("sb-1", 2_000), ("sb-1", 500))
        ]
        office.audit()
        return played

    def test_the_finding_has_their_number_tables_and_totals(self, rounds: list[int], system: ApiClient) -> None:
        [found] = system.read("findings")["findings"]
        assert (found["code"], found["clause"]) == ("SETTLE-READING", "3.2.2.1")
        assert (found["wagers"], found["wager"]) == (3, None)
        assert (found["tables"], found["table"]) == (["sb-1", "sb-2"], None)
        assert (found["required_cents"], found["found_cents"]) == (0, 7_000)
        assert system.read(f"findings/{found['index']}") == found

    def test_its_cases_are_read_page_after_page(self, rounds: list[int], system: ApiClient) -> None:
        address = f"findings/{system.read('findings')['findings'][0]['index']}/cases"
        first = system.read(address, limit=2)
        rest = system.read(address, limit=2, cursor=first["cursor"])
        assert (first["has_more"], rest["has_more"]) == (True, False)
        cases = sorted(first["cases"] + rest["cases"], key=lambda case: case["subject_index"])
        assert [(case["subject_index"], case["table"], case["wager"]) for case in cases] == [
            (rounds[0], "sb-2", "e-1000"),
            (rounds[1], "sb-1", "e-2000"),
            (rounds[2], "sb-1", "e-500"),
        ]
        assert [(case["required_cents"], case["found_cents"]) for case in cases] == [(0, 2_000), (0, 4_000), (0, 1_000)]

    def test_it_is_found_by_its_tables_and_its_rounds(self, rounds: list[int], system: ApiClient) -> None:
        for asked, number in (("sb-1", 1), ("sb-2", 1), ("sb-9", 0)):
            assert len(system.read("findings", table=asked)["findings"]) == number
        for index in rounds:
            assert [found["wagers"] for found in system.read(f"rounds/{index}")["findings"]] == [3]


def test_pages_go_on_where_the_last_one_ended_also_when_more_came_meanwhile(
    office: ReviewScenario, system: ApiClient
) -> None:
    office.overpay(5)
    first = system.read("findings", limit=2)
    assert first["has_more"]
    office.overpay(1)
    rest = system.read("findings", limit=200, cursor=first["cursor"])
    indexes = [one["index"] for page in (first, rest) for one in page["findings"]]
    assert len(indexes) == 6
    assert indexes == sorted(set(indexes))
    nothing = system.read("findings", cursor=rest["cursor"])
    assert (nothing["findings"], nothing["has_more"], nothing["cursor"]) == ([], False, rest["cursor"])


@pytest.mark.parametrize(
    ("asked", "number"),
    [
        ({"code": "SETTLE-OVERPAID"}, 1),
        ({"code": "WAGER-LATE"}, 0),
        ({"severity": "serious"}, 1),
        ({"severity": "note"}, 0),
        ({"table": "sb-1"}, 1),
        ({"table": "sb-9"}, 0),
        ({"state": "superseded"}, 0),
        ({"state": "all"}, 1),
        ({"since": "2020-01-01T00:00:00Z"}, 1),
        ({"until": "2020-01-01T00:00:00+11:00"}, 0),
        ({"since": "0130-04-15T07:56:55-22:40"}, 1),
    ],
)
def test_findings_are_narrowed(office: ReviewScenario, system: ApiClient, asked: dict[str, str], number: int) -> None:
    office.overpay()
    assert len(system.read("findings", **asked)["findings"]) == number


@pytest.mark.parametrize(
    "asked",
    [
        {"severty": "serious"},
        {"severity": "grave"},
        {"state": "open"},
        {"limit": "0"},
        {"limit": "201"},
        {"limit": "ten"},
        {"cursor": "nonsense"},
        {"cursor": "djE6LTE"},
        {"since": "yesterday"},
        {"since": "2026-11-16T09:30:00"},
        {"since": "2026-13-16T09:30:00Z"},
        {"table": "sb\x00"},
        {"table": ["a", "b"]},
    ],
)
def test_a_parameter_that_makes_no_sense_is_refused(system: ApiClient, asked: dict[str, str]) -> None:
    assert system.refused("findings", **asked) == (400, "bad-parameter")


def test_rounds_come_with_proofs_that_hold_by_themselves(committed_office: ReviewScenario) -> None:
    committed_office.overpay(3)
    sign_log("harbour", committed_office.now)
    system = ApiClient(committed_office)
    page = system.read("rounds")
    head = open_checkpoint(page["checkpoint"].encode(), verifier_key_for("harbour")).head
    assert page["verifier"] == str(verifier_key_for("harbour"))
    assert len(page["rounds"]) == 3
    for told in page["rounds"]:
        leaf = base64.b64decode(system.read(f"rounds/{told['index']}")["leaf"])
        assert hashlib.sha256(b"\x00" + leaf).hexdigest() == told["leaf_sha256"]
        proof = [bytes.fromhex(one) for one in told["inclusion_proof"]]
        verify_inclusion(leaf_hash(leaf), told["index"], head, proof)
    assert page["rounds"][0]["body"]["body"]["dice"] == [4, 2, 4]


def test_the_last_signed_entry_is_proved_and_the_first_unsigned_one_is_not(committed_office: ReviewScenario) -> None:
    """A checkpoint of n entries covers entry n - 1, and not entry n."""
    office, system = committed_office, ApiClient(committed_office)
    office.house.open_table()
    last = office.house.play((4, 2, 4), wager("small", 2_500, 5_000))
    sign_log("harbour", office.now)
    beyond = office.house.play((4, 2, 4), wager("small", 2_500, 5_000))
    page = system.read("rounds")
    head = open_checkpoint(page["checkpoint"].encode(), verifier_key_for("harbour")).head
    assert (head.size, beyond) == (last + 1, last + 1)
    proofs = {told["index"]: told["inclusion_proof"] for told in page["rounds"]}
    leaf = base64.b64decode(system.read(f"rounds/{last}")["leaf"])
    verify_inclusion(leaf_hash(leaf), last, head, [bytes.fromhex(one) for one in proofs[last]])
    assert proofs[beyond] is None


def test_a_round_that_no_checkpoint_covers_says_so(office: ReviewScenario, system: ApiClient) -> None:
    office.overpay()
    page = system.read("rounds")
    assert (page["checkpoint"], page["rounds"][0]["inclusion_proof"]) == (None, None)
    one = system.read(f"rounds/{page['rounds'][0]['index']}")
    assert one["proof"] is None
    assert [found["code"] for found in one["findings"]] == ["SETTLE-OVERPAID"]
    # Findings are a separate scope.
    assert ApiClient(office, "rounds").read(f"rounds/{page['rounds'][0]['index']}")["findings"] == []


def test_rounds_page_after_page_oldest_first(office: ReviewScenario, system: ApiClient) -> None:
    office.overpay(3)
    first = system.read("rounds", limit=2)
    second = system.read("rounds", limit=2, cursor=first["cursor"])
    assert (first["has_more"], second["has_more"]) == (True, False)
    indexes = [one["index"] for page in (first, second) for one in page["rounds"]]
    assert indexes == sorted(set(indexes))
    assert len(indexes) == 3
    assert system.read("rounds", table="sb-9")["rounds"] == []


def test_coverage_tells_how_far_the_audit_has_come(office: ReviewScenario, system: ApiClient) -> None:
    office.overpay(2)
    told = system.read("coverage")
    assert (told["rounds"], told["wagers"]) == (2, 2)
    assert told["ranges"][0]["first"] == 0
    assert sum(one["findings"] for one in told["ranges"]) == 2
    assert told["audited_up_to"] == told["ranges"][-1]["last"] + 1


def test_a_report_is_listed_and_its_file_is_the_file(committed_office: ReviewScenario, reports_dir: Path) -> None:
    committed_office.overpay()
    made = make_report(committed_office, "discrepancies")
    system = ApiClient(committed_office)
    [told] = system.read("reports")["reports"]
    assert (told["report"], told["kind"], told["file_sha256"]) == (made.pk, "discrepancies", made.file_sha256)
    response = system.get(told["file"])
    content = b"".join(response)
    assert hashlib.sha256(content).hexdigest() == made.file_sha256
    assert response.headers["Content-Type"] == "application/pdf"
    [out] = Disclosure.objects.filter(format="application/pdf")
    assert (out.way, out.what, out.by, out.through) == ("api", made.title, committed_office.ines, str(system.token))
    made.path(".pdf").unlink()
    assert system.refused(told["file"]) == (410, "report-gone")


@pytest.mark.parametrize(
    "path", ["findings/0", "findings/99999999999999999999", "rounds/0", "rounds/99999999999999999999", "reports/1/file"]
)
def test_what_is_not_there_is_not_found(system: ApiClient, path: str) -> None:
    assert system.refused(path) == (404, "not-found")


@pytest.mark.parametrize("path", ["findings", "rounds", "coverage", "reports"])
def test_other_systems_change_nothing(system: ApiClient, path: str) -> None:
    for verb in ("post", "put", "patch", "delete"):
        answer = getattr(system.browser, verb)(
            f"{HARBOUR}/{path}", headers={"Authorization": f"Bearer {system.secret}"}
        )
        assert (answer.status_code, answer.json()["code"]) == (405, "read-only")
        assert answer.headers["Allow"] == "GET, HEAD"


@pytest.mark.parametrize("path", ["findings", "rounds", "coverage", "reports"])
def test_queries_do_not_grow_with_the_records(
    office: ReviewScenario, system: ApiClient, path: str, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    office.overpay()
    system.read(path)
    with django_assert_max_num_queries(25) as few:
        system.read(path)
    office.overpay(8)
    with django_assert_max_num_queries(len(few)):
        system.read(path)


def test_that_it_read_is_recorded_once_an_hour_for_each_address(office: ReviewScenario, system: ApiClient) -> None:
    office.overpay()
    for _ in range(3):
        system.read("findings", code="SETTLE-OVERPAID")
    system.read("coverage")
    told = [(one.way, one.address, one.by, one.through) for one in Disclosure.objects.order_by("pk")]
    name = str(system.token)
    assert told == [
        ("api", f"{HARBOUR}/findings", office.ines, name),
        ("api", f"{HARBOUR}/coverage", office.ines, name),
    ]
