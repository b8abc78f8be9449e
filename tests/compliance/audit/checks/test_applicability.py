"""Where a document says nothing a code is SILENT, and the page of the rule version shows it."""

import pytest
from django.test import Client

from compliance.audit.catalogue import ALL_CODES, CODES_BY_NAME
from compliance.audit.checks.applicability import Applicability, code_under_rules, codes_by_family
from tests.compliance.audit.house import House
from tests.compliance.audit.round_builders import LICENSEE, MBS, NSW, RWS, SKYCITY, pack_of
from tests.compliance.core.accounts.people import browser_of


@pytest.mark.parametrize(
    ("rules", "code", "bearing", "clause"),
    [
        (NSW, "LIMIT-SHORT-NOTICE", Applicability.APPLIES, "4.5"),
        (RWS, "LIMIT-SHORT-NOTICE", Applicability.SILENT, None),
        (SKYCITY, "LIMIT-SHORT-NOTICE", Applicability.SILENT, None),
        (SKYCITY, "CLOSE-OFFICER", Applicability.APPLIES, "8.g"),
        (NSW, "CLOSE-OFFICER", Applicability.SILENT, None),
        (NSW, "CLOSE-NO-SIGN", Applicability.APPLIES, "9.8"),
        (MBS, "CLOSE-NO-SIGN", Applicability.SILENT, None),
        (SKYCITY, "SETTLE-CLIP", Applicability.APPLIES, "8.e"),
        (LICENSEE, "SETTLE-CLIP", Applicability.SILENT, None),
        (RWS, "WAGER-UNREGISTERED", Applicability.APPLIES, "5.2.2"),
        (NSW, "WAGER-UNREGISTERED", Applicability.SILENT, None),
        (NSW, "STREAK-AMOUNT", Applicability.APPLIES, "6.7"),
        (RWS, "STREAK-AMOUNT", Applicability.NO_SUBJECT, None),
        (MBS, "ROUND-TUMBLES", Applicability.NO_SUBJECT, None),
        (NSW, "ROUND-CARDS", Applicability.NO_SUBJECT, None),
        (NSW, "SETTLE-PAY-TABLE", Applicability.NO_SUBJECT, None),
        (MBS, "ROUND-NO-RULES", Applicability.OWN, None),
    ],
)
def test_each_document_says_it_or_is_silent(rules: str, code: str, bearing: Applicability, clause: str | None) -> None:
    found = code_under_rules(pack_of(rules), CODES_BY_NAME[code])
    assert found.bearing is bearing
    assert clause is None or clause in found.clauses


@pytest.mark.parametrize("rules", [NSW, RWS, MBS, SKYCITY, LICENSEE])
def test_every_code_has_a_verdict_and_only_what_is_said_has_clauses(rules: str) -> None:
    found = [one for _, codes in codes_by_family(pack_of(rules)) for one in codes]
    assert [one.code for one in found] == list(ALL_CODES)
    for one in found:
        assert bool(one.clauses) is (one.bearing is Applicability.APPLIES)


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
