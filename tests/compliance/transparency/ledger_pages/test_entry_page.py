"""The page of one entry, its downloads, and the proof step by step: for unchanged and for tampered entries."""

from hashlib import sha256

import pytest
from django.db import transaction

from rounds.ledger.readers.search import size_of
from rounds.ledger.signing.checkpoints import verifier_key_for
from rounds.ledger.writing.append import correct, make_entry
from rounds.transparency_log.formats.tlog_proof import TlogProof
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.transparency.ledger_pages.harbour_scenario import OPENED_AT, Floor, fault, play
from tests.rounds.ledger import harbour_log


def url(index: int, part: str = "") -> str:
    return f"/casinos/harbour/ledger/{index}/{part}"


def page(floor: Floor, index: int, part: str = "") -> str:
    response = browser_of(floor.sam).get(url(index, part))
    assert response.status_code == 200
    return response.content.decode()


def test_it_says_what_was_recorded_and_what_kind_that_is(floor: Floor) -> None:
    base = size_of("harbour")
    play(3)
    shown = page(floor, base + 1)
    assert "16 Nov 2026, 8:30 pm AEDT" in shown
    assert "A round that the tests record." in shown
    assert '<a href="/casinos/harbour/ledger/?round=r-1">R-1</a>' in shown
    assert "&quot;dice&quot;: [\n    1," in shown
    assert f'href="{url(base)}"' in shown
    assert f'href="{url(base + 2)}"' in shown


def test_people_are_shown_by_name_and_found_by_number(floor: Floor) -> None:
    index = size_of("harbour")
    fault(floor.sam)
    assert f'<a href="/casinos/harbour/ledger/?person=%23{floor.sam.pk}">Sam</a>' in page(floor, index)


def test_what_a_record_says_is_never_markup(floor: Floor) -> None:
    index = size_of("harbour")
    harbour_log.record_all([make_entry("test-note", {"by": "<script>alert(1)</script>", "round": "<b>"}, table="<i>")])
    shown = page(floor, index)
    assert "<script>alert" not in shown
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in shown
    assert "<i>" not in shown


def test_an_entry_taken_back_and_its_correction_lead_to_each_other(floor: Floor) -> None:
    base = size_of("harbour")
    play(2)
    with transaction.atomic():
        receipt = correct("harbour", base, {"reason": "Twice.", "by": "Sam"}, OPENED_AT)
    assert f'taken back by <a href="{url(receipt.index)}">' in page(floor, base)
    assert f'takes back <a href="{url(base)}">' in page(floor, receipt.index)
    assert "taken back" not in page(floor, base + 1)


@pytest.mark.parametrize("index", [10**6, 2**63, 10**30])
def test_beyond_the_log_there_is_nothing(floor: Floor, index: int) -> None:
    for part in ("", "check/", "proof/", "bytes/"):
        assert browser_of(floor.sam).get(url(index, part)).status_code == 404


def test_the_bytes_and_the_proof_convince_somebody_who_has_only_the_key(floor: Floor) -> None:
    base = size_of("harbour")
    play(9)
    harbour_log.sign()
    browser = browser_of(floor.sam)
    leaf, proof = browser.get(url(base + 4, "bytes/")), browser.get(url(base + 4, "proof/"))
    assert leaf.headers["Content-Disposition"] == f'attachment; filename="harbour-{base + 4}.leaf"'
    assert proof.headers["Content-Disposition"] == f'attachment; filename="harbour-{base + 4}.tlog-proof"'
    checkpoint = TlogProof.parse(proof.content).verify(
        sha256(b"\0" + leaf.content).digest(), verifier_key_for("harbour")
    )
    assert checkpoint.head.size == base + 9
    assert b'{"round":"R-4"' in leaf.content


def test_before_it_is_signed_there_is_no_proof_and_the_pages_say_so(floor: Floor) -> None:
    index = size_of("harbour")
    play(1)
    assert browser_of(floor.sam).get(url(index, "proof/")).status_code == 404
    assert "No checkpoint covers this entry yet." in page(floor, index)
    assert "This record cannot be checked yet" in page(floor, index, "check/")


def test_the_check_shows_every_step_of_a_good_entry(floor: Floor) -> None:
    base = size_of("harbour")
    play(5)
    harbour_log.sign()
    shown = page(floor, base + 2, "check/")
    assert "This record is genuine" in shown
    assert shown.count('<strong class="tag tag-success">Fits</strong>') == 4
    assert "ledger.example/harbour" in shown
    assert verifier_key_for("harbour").key_id.hex() in shown
    leaf = browser_of(floor.sam).get(url(base + 2, "bytes/")).content
    assert shown.count(sha256(b"\0" + leaf).hexdigest()) == 2


def test_a_tampered_entry_fails_at_its_step(committed_floor: Floor) -> None:
    base = size_of("harbour")
    play(5)
    harbour_log.sign()
    with harbour_log.unguarded() as rogue:
        rogue.execute(f"UPDATE {harbour_log.partition()} SET body = '{{' WHERE index = {base + 2}")
        rogue.execute(f"DELETE FROM {harbour_log.partition()} WHERE index = {base + 3}")
    shown = page(committed_floor, base + 2, "check/")
    assert "This record does not fit what the log signed." in shown
    assert "They do not: the entry was changed after it was recorded." in shown
    assert shown.count("Does not fit") == 1
    assert "can no longer be read as a record" in page(committed_floor, base + 2)
    assert "This entry is missing" in page(committed_floor, base + 3)
    assert f"Entry {base + 3} is missing" in page(committed_floor, base + 3, "check/")
    assert browser_of(committed_floor.sam).get(url(base + 3, "bytes/")).status_code == 404


def test_only_those_of_the_casino_open_it(floor: Floor) -> None:
    play(1)
    harbour_log.sign()
    for part in ("", "check/", "proof/", "bytes/"):
        assert browser_of(floor.ines).get(url(0, part)).status_code == 200
        for person in (floor.otto, floor.ada):
            assert browser_of(person).get(url(0, part)).status_code == 404
