"""Where a document says nothing the verdict is `silent`, and a reader can see it, version by version."""

import pytest
from django.test import Client

from compliance.audit.catalogue import CODES, EVERY_CODE
from compliance.audit.silence import Bearing, ruled, ruled_by_family
from tests.compliance.accounts.cast import browser_of
from tests.compliance.audit.house import House
from tests.compliance.audit.play import LICENSEE, MBS, NSW, RWS, SKYCITY, pack_of


@pytest.mark.parametrize(
    ("rules", "code", "bearing", "clause"),
    [
        (NSW, "LIMIT-SHORT-NOTICE", Bearing.APPLIES, "4.5"),
        (RWS, "LIMIT-SHORT-NOTICE", Bearing.SILENT, None),
        (SKYCITY, "LIMIT-SHORT-NOTICE", Bearing.SILENT, None),
        (SKYCITY, "CLOSE-OFFICER", Bearing.APPLIES, "8.g"),
        (NSW, "CLOSE-OFFICER", Bearing.SILENT, None),
        (NSW, "CLOSE-NO-SIGN", Bearing.APPLIES, "9.8"),
        (MBS, "CLOSE-NO-SIGN", Bearing.SILENT, None),
        (SKYCITY, "SETTLE-CLIP", Bearing.APPLIES, "8.e"),
        (LICENSEE, "SETTLE-CLIP", Bearing.SILENT, None),
        (RWS, "WAGER-UNREGISTERED", Bearing.APPLIES, "5.2.2"),
        (NSW, "WAGER-UNREGISTERED", Bearing.SILENT, None),
        (NSW, "STREAK-AMOUNT", Bearing.APPLIES, "6.7"),
        (RWS, "STREAK-AMOUNT", Bearing.NO_SUBJECT, None),
        (MBS, "ROUND-TUMBLES", Bearing.NO_SUBJECT, None),
        (NSW, "ROUND-CARDS", Bearing.NO_SUBJECT, None),
        (NSW, "SETTLE-PAY-TABLE", Bearing.NO_SUBJECT, None),
        (MBS, "ROUND-NO-RULES", Bearing.OWN, None),
    ],
)
def test_each_document_says_it_or_is_silent(rules: str, code: str, bearing: Bearing, clause: str | None) -> None:
    found = ruled(pack_of(rules), CODES[code])
    assert found.bearing is bearing
    assert clause is None or clause in found.clauses


@pytest.mark.parametrize("rules", [NSW, RWS, MBS, SKYCITY, LICENSEE])
def test_every_code_has_a_verdict_and_only_what_is_said_has_clauses(rules: str) -> None:
    found = [one for _, codes in ruled_by_family(pack_of(rules)) for one in codes]
    assert [one.code for one in found] == list(EVERY_CODE)
    for one in found:
        assert bool(one.clauses) is (one.bearing in (Bearing.APPLIES, Bearing.NOT_YET) and bool(one.code.clause_key))


def test_a_reader_finds_it_from_the_page_of_what_was_audited(house: House) -> None:
    house.open_table("bs-1", rules=SKYCITY)
    inspector: Client = browser_of(house.crew.cast.ines)
    address = f"/casinos/harbour/findings/checks/{SKYCITY}/1/"
    assert f'href="{address}"' in inspector.get("/casinos/harbour/findings/coverage/").content.decode()
    answer = inspector.get(address)
    page = answer.content.decode()
    assert answer.status_code == 200
    row = page[page.index("LIMIT-SHORT-NOTICE") :][:700]
    assert "Rules are silent" in row
    assert "8.g" in page[page.index("CLOSE-OFFICER") :][:700]
    assert inspector.get(f"/casinos/harbour/findings/checks/{SKYCITY}/9/").status_code == 404
