"""The audited key signs only if what it recomputes from the log matches the audit's findings."""

import json
from collections.abc import Callable, Iterable, Iterator
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from compliance.transparency.witness_registry.models import Cosignature, Dissent
from compliance.transparency.witness_registry.services import register_witness
from rounds.floor.fact_values import LimitsValue
from rounds.ledger.export.export_entries import export_range
from rounds.ledger.readers.search import size_of
from rounds.ledger.signing.checkpoints import sign_log, verifier_key_for
from rounds.ledger.writing.append import make_entry
from rounds.transparency_log.formats.cosignature import WitnessKey, verified_cosignatures
from rounds.transparency_log.formats.leaf import parse_header
from rounds.witness.entries.bundle_source import BundleFolder, RawEntry
from rounds.witness.entries.mirror import EntryMirror
from rounds.witness.recompute.recompute_log import RecomputeResult, recompute_log
from rounds.witness.state import WitnessState
from tests.compliance.audit.conftest import committed_house, house
from tests.compliance.audit.house import NOW, House
from tests.compliance.audit.round_builders import LICENSEE, MBS, NSW, RWS, SKYCITY, wager
from tests.compliance.audit.test_detection_matrix import give_controllers, open_floor
from tests.rounds.floor.conftest import committed_crew, crew, quick_passwords
from tests.rounds.ledger.harbour_log import record_all
from tests.rounds.witness.witness_process import Inspectorate, Said, run

__all__ = ["committed_crew", "committed_house", "crew", "house", "quick_passwords"]

Changed = Callable[[RawEntry], RawEntry | None]


VOIDED = make_entry("wagers-voided", {"rounds": [1], "at": "2026-11-16T09:00:35Z", "wagers": 7}, table="sb-1")


def export_links(folder: Path, first: int = 0) -> Path:
    export_range(log="harbour", first=first, last=size_of("harbour"), folder=folder, casino="Harbour", now=NOW)
    return folder


def came_to(folder: Path, change: Changed = lambda entry: entry, *, has_packs: bool = True) -> RecomputeResult:
    def entries() -> Iterable[RawEntry]:
        return (changed for entry in BundleFolder(folder).entries() if (changed := change(entry)))

    return recompute_log(entries, BundleFolder(folder).packs() if has_packs else {})


def kind_of(entry: RawEntry) -> str:
    return parse_header(entry.header).kind


def play_faulty(house: House) -> None:
    """Big pays even money: three are paid correctly, one too much, one loser keeps its stake."""
    house.open_table(limits=LimitsValue(min=500, max=50_000))
    house.play((4, 5, 6), wager("big", 1000, 2000), wager("small", 2000, 0))
    house.play((1, 2, 3), wager("big", 1000, 1000), wager("small", 2000, 4000))
    house.play((4, 5, 6), wager("big", 1000, 3000))


def test_what_differs_is_what_the_service_found(house: House, tmp_path: Path) -> None:
    play_faulty(house)
    waiting = came_to(export_links(tmp_path / "before"))
    assert (waiting.reproduced, waiting.waiting, waiting.not_reproduced) == (3, 2, [])
    assert not waiting.is_reproduced, "Nobody has audited these rounds yet."

    house.audit()
    folder = export_links(tmp_path / "after")
    held = came_to(folder)
    assert (held.reproduced, held.found_too, held.waiting, held.left_out) == (3, 2, 0, {})
    assert held.is_reproduced

    silent = came_to(folder, lambda entry: None if kind_of(entry) == "finding" else entry)
    assert [one.words for one in silent.not_reproduced] == [
        "1000 cents were handed back, 0 were due, and nothing is found.",
        "3000 cents were handed back, 2000 were due, and nothing is found.",
    ]
    assert not silent.is_reproduced


def test_a_finding_that_makes_another_sum_due_is_not_reproduced(house: House, tmp_path: Path) -> None:
    play_faulty(house)
    house.audit()
    lies = came_to(export_links(tmp_path / "after"), _lying)
    assert [one.words for one in lies.not_reproduced][-1:] == [
        "we make 2000 cents due, the log's finding says SETTLE-OVERPAID 1900."
    ]


def _lying(entry: RawEntry) -> RawEntry:
    said = json.loads(entry.body) if kind_of(entry) == "finding" else {}
    if said.get("code") != "SETTLE-OVERPAID":
        return entry
    return entry._replace(body=json.dumps(said | {"required_cents": 1900}).encode())


def test_each_rule_set_is_recomputed_by_its_own_pack(house: House, tmp_path: Path) -> None:
    """Neither the service's audit nor the witness finds an error in the amounts."""
    for rules in (NSW, MBS, SKYCITY, LICENSEE):
        slug = f"t-{rules[:3]}"
        house.open_table(slug, rules)
        house.play((4, 5, 6), wager("big", 1000, 2000, rules=rules), wager("small", 1000, 0, rules=rules), table=slug)
    house.add_terminal(house.open_table("t-rws", RWS), "t-1", "Appendix A")
    house.play((4, 5, 6), wager("big", 1000, 2000, rules=RWS), table="t-rws")
    house.audit()
    held = came_to(export_links(tmp_path / "all"))
    assert held.not_reproduced == []
    assert (held.reproduced, held.found_too, held.left_out) == (9, 0, {})


def test_a_day_of_every_rule_set_comes_out_as_the_audit_says(house: House, tmp_path: Path, settings: Settings) -> None:
    """With faults in payments and readings, exactly those differ that the log's findings name."""
    settings.ALLOWED_HOSTS = ["ledger.example"]
    give_controllers(house, open_floor(house), tmp_path / "controllers")
    call_command(
        "simulate",
        casino="harbour",
        rounds=60,
        seed=5,
        faults="SETTLE-OVERPAID,SETTLE-READING",
        truth=tmp_path / "truth.ndjson",
        keys=tmp_path / "controllers",
        in_process=True,
        stdout=StringIO(),
    )
    house.audit()
    held = came_to(export_links(tmp_path / "day"))
    assert (held.not_reproduced, held.waiting) == ([], 0)
    assert held.found_too > 5
    assert set(held.left_out) <= {"the round was taken back"}


def test_without_the_rule_packs_nothing_is_recomputed_and_that_is_counted(house: House, tmp_path: Path) -> None:
    house.open_table()
    house.play((4, 5, 6), wager("big", 1000, 2000), wager("small", 700, 0))
    blind = came_to(export_links(tmp_path / "all"), has_packs=False)
    [(why, count)] = blind.left_out.items()
    assert (count, blind.lacking, blind.reproduced, blind.is_reproduced) == (2, 2, 0, False)
    assert f"the rule pack {house.casino.rule_versions.get(rules=NSW).pack_id}, which the log names" in why


def test_a_correction_takes_a_fact_or_a_round_back(house: House, tmp_path: Path) -> None:
    house.open_table()
    house.play((4, 5, 6), wager("big", 1000, 3000))
    folder = export_links(tmp_path / "all")
    [number] = [entry.place for entry in BundleFolder(folder).entries() if kind_of(entry) == "round"]
    header = next(entry.header for entry in BundleFolder(folder).entries() if kind_of(entry) == "round")
    correction = header.replace(b'"kind":"round"', b'"kind":"correction"')
    taken_back = RawEntry(10**6, correction, b'{"corrects":%d,"reason":"Twice.","by":"x"}' % number)

    def entries() -> Iterator[RawEntry]:
        yield from BundleFolder(folder).entries()
        yield taken_back

    assert recompute_log(entries, BundleFolder(folder).packs()).left_out == {"the round was taken back": 1}


@pytest.fixture
def witness(committed_house: House, live_server: LiveServer, tmp_path: Path) -> Inspectorate:
    """A witness that follows the log; both its keys are registered."""
    play_faulty(committed_house)
    committed_house.audit()
    sign_log("harbour", NOW)
    inspectorate = Inspectorate(tmp_path / "inspectorate")
    inspectorate.init(str(verifier_key_for("harbour")), live_server.url)
    register(committed_house, inspectorate.verifier_key())
    return inspectorate


def register(house: House, key: str) -> None:
    register_witness(casino=house.casino, key=key, actor=house.crew.cast.ines, now=NOW)


def audit(witness: Inspectorate, bundle: Path) -> Said:
    key = witness.folder / "audited.key"
    return run("audit", *witness.files, "--audited-key", str(key), "--bundle", str(bundle))


def test_the_audited_key_signs_what_it_reproduced_and_nothing_else(
    witness: Inspectorate, committed_house: House, tmp_path: Path
) -> None:
    sign_log("harbour", NOW)
    assert witness.once().status == 0
    first = export_links(tmp_path / "first")
    said = audit(witness, first)
    assert "no-witness-signed" in said.out, "Its key is new: nobody has registered it yet."
    assert said.status == 2, "All holds, and nothing is cosigned: whoever runs it every night must hear of that."
    key = WitnessKey.parse(said.out.splitlines()[1])
    assert key.name == "inspectorate.example/witness/audited"
    register(committed_house, str(key))

    said = audit(witness, first)
    assert said.status == 0, said
    assert "3 wagers reproduced, 2 differ as the log's findings say. Cosigned by" in said.out
    assert Cosignature.objects.filter(witness__name=key.name).count() == 1

    committed_house.play((1, 1, 2), wager("small", 1000, 2000))
    committed_house.audit()
    note = sign_log("harbour", NOW)
    assert witness.once().status == 0
    mirrored = len(list(BundleFolder(first).entries()))
    assert audit(witness, export_links(tmp_path / "gap", mirrored + 1)).status == 2
    assert audit(witness, export_links(tmp_path / "second", mirrored)).status == 0
    served = Client().get("/logs/harbour/checkpoint").content
    assert served.startswith(note)
    assert [one.key for one in verified_cosignatures(served, [key])] == [key]
    assert "4 wagers reproduced" in witness.status().out


def test_evidence_without_the_rule_packs_is_not_cosigned_until_they_are_there(
    witness: Inspectorate, committed_house: House, tmp_path: Path
) -> None:
    sign_log("harbour", NOW)
    assert witness.once().status == 0
    bundle = export_links(tmp_path / "bundle")
    packs = (bundle / "packs").rename(tmp_path / "elsewhere")
    said = audit(witness, bundle)
    register(committed_house, said.out.splitlines()[1])
    said = audit(witness, bundle)
    assert said.status == 2, said
    assert "NOT RECOMPUTED: 5 wagers, because the rule pack" in said.out
    assert "0 wagers reproduced, 0 differ as the log's findings say." in said.out, "a finding was not recomputed either"
    assert "yet: audit again, with evidence that has every rule pack." in said.out
    assert not Cosignature.objects.filter(witness__name__endswith="/audited").exists()
    packs.rename(bundle / "packs")
    assert audit(witness, bundle).status == 0
    assert Cosignature.objects.filter(witness__name__endswith="/audited").count() == 1


def test_it_refuses_entries_that_are_not_those_of_the_checkpoint(witness: Inspectorate, tmp_path: Path) -> None:
    sign_log("harbour", NOW)
    witness.once()
    bundle = export_links(tmp_path / "bundle")
    changed = (bundle / "entries.ndjson").read_text().replace('\\"returned\\":3000', '\\"returned\\":2000')
    assert changed != (bundle / "entries.ndjson").read_text()
    (bundle / "entries.ndjson").write_text(changed)
    said = audit(witness, bundle)
    assert said.status == 2
    assert "do not lead to the checkpoint" in said.error
    assert EntryMirror(WitnessState.open(witness.state), "ledger.example/harbour").size() == 0


def test_a_service_that_keeps_a_mistake_to_itself_is_told_and_not_cosigned(
    witness: Inspectorate, committed_house: House, tmp_path: Path
) -> None:
    """The audit claims coverage without findings: the finding's entry was never appended."""
    house = committed_house
    place = house.play((4, 5, 6), wager("big", 1000, 2500))
    body = {"first": place, "last": place + 1, "generation": 0, "versions": [], "findings": 0}
    record_all([make_entry("audit-coverage", body)])
    sign_log("harbour", NOW)
    bundle = tmp_path / "bundle"
    assert witness.once().status == 0
    key = audit(witness, export_links(bundle)).out.splitlines()[1]
    register(house, key)
    said = audit(witness, bundle)
    assert said.status == 1
    assert f"NOT REPRODUCED: entry {place}, wager w-big-1000: 2500 cents were handed back, 2000 were due" in said.out
    assert Dissent.objects.get().reason == "not-reproduced"
    assert not Cosignature.objects.filter(witness__name__endswith="/audited").exists()
    assert "NOT REPRODUCED" in witness.status().out


def test_an_entry_that_cannot_be_read_is_named_and_nothing_is_cosigned(
    witness: Inspectorate, committed_house: House, tmp_path: Path
) -> None:
    [place, later] = [one.index for one in record_all([VOIDED, make_entry("round", {"dice": "none"}, table="sb-1")])]
    sign_log("harbour", NOW)
    assert witness.once().status == 0
    bundle = export_links(tmp_path / "bundle")
    register(committed_house, audit(witness, bundle).out.splitlines()[1])
    said = audit(witness, bundle)
    assert (said.status, said.error) == (1, "")
    assert (
        f"CANNOT BE READ: entry {place}, wagers-voided: Expected `array | null`, got `int` - at `$.wagers`." in said.out
    )
    assert f"CANNOT BE READ: entry {later}, round: it is not a round." in said.out
    assert "3 wagers reproduced, 2 differ" in said.out, "The others are told of as ever."
    assert "NOT cosigned by inspectorate.example/witness/audited" in said.out
    assert Dissent.objects.get().reason == "not-reproduced"
    assert not Cosignature.objects.filter(witness__name__endswith="/audited").exists()
    assert f"CANNOT BE READ: entry {place}" in witness.status().out
