"""Log mirror: consecutive entries from which the signed root can be computed, and the rule packs they name."""

import base64
import json
from hashlib import sha256
from typing import Any

import pytest

from compliance.api.endpoints import log_mirror
from rounds.ledger.readers.search import size_of
from rounds.ledger.signing.checkpoints import sign_log, verifier_key_for
from rounds.transparency_log.formats.signed_note import open_checkpoint
from rounds.transparency_log.tree.merkle import Frontier, leaf_hash
from tests.compliance.api.api_client import ApiClient
from tests.compliance.inspection.reviews.scenario import ReviewScenario


def leaves(system: ApiClient, **asked: Any) -> list[bytes]:
    """Reads all pages to the end."""
    found, page = [], system.read("entries", **asked)
    while True:
        assert [one["index"] for one in page["entries"]] == list(
            range(page["next"] - len(page["entries"]), page["next"])
        )
        found += [base64.b64decode(one["leaf"]) for one in page["entries"]]
        if not page["has_more"]:
            return found
        page = system.read("entries", **asked | {"first": page["next"]})


def test_the_entries_lead_to_the_root_that_is_signed(committed_office: ReviewScenario) -> None:
    system = ApiClient(committed_office)
    committed_office.overpay(2)
    system.read("entries", limit=1)
    note = sign_log("harbour", committed_office.now)
    edge = Frontier()
    edge.extend(leaf_hash(leaf) for leaf in leaves(system, limit=7))
    assert edge.head() == open_checkpoint(note, verifier_key_for("harbour")).head


def test_a_page_ends_early_where_entries_are_long_but_never_without_one(
    office: ReviewScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    system = ApiClient(office)
    whole = leaves(system)
    monkeypatch.setattr(log_mirror, "MAX_RESPONSE_BYTES", 1)
    assert len(system.read("entries", first=2)["entries"]) == 1
    assert leaves(system)[: len(whole)] == whole
    beyond = system.read("entries", first=size_of("harbour") + 5)
    assert (beyond["entries"], beyond["has_more"]) == ([], False)


def test_a_pack_is_given_by_the_digest_that_the_log_names(office: ReviewScenario) -> None:
    office.overpay()
    system = ApiClient(office)
    approved = [json.loads(leaf.partition(b"\n")[2]) for leaf in leaves(system) if b"rule-version-approved" in leaf]
    for one in approved:
        given = system.read(f"packs/{one['pack_sha256']}")
        assert sha256(given["content"].encode()).hexdigest() == given["sha256"] == one["pack_sha256"]
    assert approved
    assert system.refused(f"packs/{'0' * 64}") == (404, "not-found")


def test_the_whole_log_is_a_kind_of_its_own_and_numbers_are_checked(office: ReviewScenario) -> None:
    system = ApiClient(office)
    for asked in ({"first": "-1"}, {"first": "x"}, {"first": "9" * 30}, {"limit": "0"}, {"limit": "501"}):
        assert system.refused("entries", **asked) == (400, "bad-parameter"), asked
    others = ApiClient(office, "findings", "rounds", "coverage", "reports")
    assert others.refused("entries") == (403, "out-of-scope")
    assert others.refused(f"packs/{'0' * 64}") == (403, "out-of-scope")
