"""Proposing a version: permissions, frozen content, refusals and the ledger entry."""

import hashlib

import pytest

from rounds.ledger.readers.consumer import read_entries
from rounds.rulebook.errors import BadPack, BadSource, MayNotPropose, NothingToRule
from rounds.rulebook.models import FrozenPack, MediaType, RuleVersion
from rounds.rulebook.selectors import pack_of, rules_of
from rounds.rulebook.versions.propose import read_source_upload
from tests.rounds.rulebook.rule_makers import NSW, RWS, SOURCE, RuleMakers, propose, shipped_pack_bytes


def test_a_version_keeps_the_pack_byte_for_byte_and_numbers_itself(rulers: RuleMakers) -> None:
    first, second, other = propose(rulers), propose(rulers), propose(rulers, RWS)
    assert [(v.rules, v.number) for v in (first, second, other)] == [(NSW, 1), (NSW, 2), (RWS, 1)]
    assert bytes(FrozenPack.objects.get(pk=first.pack_id).content) == shipped_pack_bytes(NSW)
    assert first.pack_id == hashlib.sha256(shipped_pack_bytes(NSW)).hexdigest()
    assert pack_of(first) is pack_of(second)
    assert set(other.truth_sha256) == {"1", "2", "3"}


def test_a_version_adopts_the_readings_chosen_and_the_defaults_of_the_rest(rulers: RuleMakers) -> None:
    version = propose(rulers, readings={"even": "every-even-total"})
    assert version.readings["even"] == "every-even-total"
    assert version.readings["four-number"] == "three-different"
    # N1: 2-4-4 is a total of 10, which the printed list of even totals leaves out.
    ten = (2 - 1) * 36 + (4 - 1) * 6 + (4 - 1)
    assert rules_of(version).bets["even"].by_outcome[ten] is not None
    assert rules_of(version, readings={"even": "as-printed"}).bets["even"].by_outcome[ten] is None


def test_the_entry_says_who_proposed_what_by_which_digests(rulers: RuleMakers) -> None:
    version = propose(rulers)
    [entry] = [e for e in read_entries("harbour", 0, 100) if e.kind == "rule-version-proposed"]
    body = entry.content()
    assert entry.index == version.proposed_index
    assert body["by"] == {"id": rulers.cora.pk, "name": "Cora"}
    assert body["pack_sha256"] == hashlib.sha256(shipped_pack_bytes(NSW)).hexdigest()
    assert body["source"]["sha256"] == hashlib.sha256(SOURCE.content).hexdigest()
    assert body["readings"]["even"] == "as-printed"


@pytest.mark.parametrize("who", ["gus", "otto"])
def test_only_compliance_officers_and_government_propose(rulers: RuleMakers, who: str) -> None:
    with pytest.raises(MayNotPropose):
        propose(rulers, actor=getattr(rulers, who))
    assert not RuleVersion.objects.exists()
    assert propose(rulers, actor=rulers.olga).proposed_by == rulers.olga


def test_a_bad_pack_is_refused_with_every_problem_by_file_key_found_and_expected(rulers: RuleMakers) -> None:
    unbound = shipped_pack_bytes(NSW).replace(b'wins_by = "3.1.1.1"', b'wins_by = "3.99"')
    with pytest.raises(BadPack) as refused:
        propose(rulers, pack_content=unbound, pack_file="mine.toml")
    assert refused.value.problems == (
        "mine.toml: law.wager.small.wins_by: found clause '3.99', expected a clause of this pack's clause map",
    )
    undated = shipped_pack_bytes(RWS).replace(b"2021-05-24T08:00:00+08:00", b"2021-05-24T08:00:00")
    twofold = undated.replace(b'slug = "rws-sic-bo-etg"', b"slug = 8")
    with pytest.raises(BadPack) as refused:
        propose(rulers, pack_content=twofold, pack_file="mine.toml")
    assert [problem.partition(": found ")[0] for problem in refused.value.problems] == [
        "mine.toml: slug",
        "mine.toml: effective_at",
    ]
    assert not RuleVersion.objects.exists()


def test_a_reading_the_pack_does_not_have_is_refused(rulers: RuleMakers) -> None:
    with pytest.raises(NothingToRule, match="no reading"):
        propose(rulers, readings={"odd": "as-printed"})


def test_the_kind_of_a_document_is_told_from_its_bytes() -> None:
    assert read_source_upload(b"%PDF-1.7 ...", "rules.txt").media_type == MediaType.PDF
    assert read_source_upload("Größe\n".encode(), "rules.pdf").media_type == MediaType.TEXT
    assert read_source_upload(b"text", "C:\\rules\\2026\x00.txt").file_name == "2026.txt"
    assert read_source_upload(b"text", "../").file_name == "document"
    for content in (b"", b"\xff\xfe\x00", b"a\x00b", b"x" * (10 * 1024 * 1024 + 1)):
        with pytest.raises(BadSource):
            read_source_upload(content, "rules")
    assert read_source_upload(b"x" * (10 * 1024 * 1024), "largest").media_type == MediaType.TEXT
