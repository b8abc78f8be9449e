"""The catalogue compared with the list of codes in the design, typed in here; and the help page that prints it."""

import pytest
from django.test import Client

from compliance.audit.catalogue import ALL_CODES, CODES_BY_NAME
from compliance.audit.catalogue.finding_code import FindingCode, clauses_for
from compliance.audit.checks import ROUND_CHECKS, checked_codes
from rounds.rulepacks import shipped_packs
from tests.compliance.audit.round_builders import pack_of

DESIGN = """
SETTLE-OVERPAID SETTLE-UNDERPAID SETTLE-LOSER-PAID SETTLE-WINNER-UNPAID SETTLE-VOID-KEPT SETTLE-SHOULD-BE-VOID
SETTLE-CLIP SETTLE-ROUNDING SETTLE-PAY-TABLE SETTLE-TOKEN SETTLE-READING WAGER-LATE WAGER-WITHDRAWN-LATE
WAGER-UNAPPROVED WAGER-UNOFFERED WAGER-TENDER WAGER-UNDER-MIN WAGER-UNREGISTERED STREAK-MISCOUNT STREAK-WINDOW
STREAK-FINAL-CALL STREAK-AMOUNT STREAK-SCREEN STREAK-OPEN-AT-CLOSE ROUND-ORDER ROUND-TUMBLES ROUND-EXPOSED
ROUND-NO-PRESS ROUND-CALLED ROUND-ENTRY ROUND-LIT ROUND-PAID-FIRST ROUND-REASON ROUND-NO-RULES ROUND-CARDS
ODDS-BELOW-MINIMUM ODDS-WORDING LIMIT-OVER-MAX LIMIT-NO-SIGN LIMIT-SHORT-NOTICE LIMIT-SIGN-INCOMPLETE LIMIT-EARLY
LIMIT-SOURCES LIMIT-PLAYER-SIGN CHIPS-VALUE CHIPS-COLOUR CHIPS-REDEEMED VOUCHER-VALUE CLOSE-NO-SIGN CLOSE-SHORT-NOTICE
CLOSE-OFFICER FAULT-PLAY FAULT-NOT-TOLD FAULT-NOT-CEASED FAULT-UNWITNESSED DICE-24H INSPECT-OPENING INSPECT-SHIFT
INSPECT-RANK SHAKER-SWAP CARDS-COUNT CARDS-FOREIGN FEED-GAP FEED-CONFLICT FEED-LATE FEED-SKEW FEED-SILENT
FEED-SIGNATURE FEED-QUARANTINE LEDGER-BROKEN CHECKPOINT-LATE DISPUTE-DECIDER DISPUTE-RANK DISPUTE-NO-ADVICE
DISPUTE-SKIPPED DISPUTE-OVERDUE DISPUTE-UNDECIDED-PAYMENT DISPUTE-UPHELD PROMO-FILED-LATE PROMO-INCOMPLETE
PROMO-AMENDED PROMO-SCRUTINEER PROMO-PROHIBITED PROMO-CASH-CHOICE PROMO-CASH-ALTERNATIVE PROMO-NOT-REFERENCED
PROMO-WINNER-LATE PROMO-DENIAL-RECORD PROMO-DENIAL-NOT-TOLD PROMO-STOP-NOT-TOLD
"""


def test_it_has_exactly_the_designs_codes_each_once() -> None:
    assert sorted(code.name for code in ALL_CODES) == sorted(DESIGN.split())


@pytest.mark.parametrize("code", ALL_CODES, ids=lambda code: code.name)
def test_a_sentence_is_one_sentence_with_both_sides_in_it(code: FindingCode) -> None:
    said = code.format_sentence(what="WHAT", required="REQUIRED", found="FOUND")
    assert said.endswith(".")
    assert "FOUND" in said or "REQUIRED" in said
    if code.name.startswith("SETTLE-"):
        assert "FOUND" in said
        assert "REQUIRED" in said


@pytest.mark.parametrize("code", [code for code in ALL_CODES if code.clause_key], ids=lambda code: code.name)
def test_a_clause_key_leads_to_clauses_of_some_document(code: FindingCode) -> None:
    found = {clause for pack in shipped_packs() for clause in clauses_for(pack, code) if clause in pack.clauses}
    assert found, f"no document has a clause for {code.name} at {code.clause_key}"


def test_clauses_are_those_of_the_document_and_none_where_it_is_silent() -> None:
    assert clauses_for(pack_of("nsw-sic-bo"), CODES_BY_NAME["LIMIT-SHORT-NOTICE"]) == ("4.5",)
    assert clauses_for(pack_of("mbs-3-card-sic-bo"), CODES_BY_NAME["LIMIT-SHORT-NOTICE"]) == ()


def test_checked_codes_are_those_of_registered_checks_and_all_of_them_exist() -> None:
    assert {code for check in ROUND_CHECKS for code in check.codes} <= checked_codes() <= set(CODES_BY_NAME)
    assert "SETTLE-OVERPAID" in checked_codes()


@pytest.mark.django_db
def test_the_help_page_prints_every_code_and_says_which_are_not_checked_yet(client: Client) -> None:
    page = client.get("/help/findings/").content.decode()
    assert [code.name for code in ALL_CODES if f"<code>{code.name}</code>" not in page] == []
    assert page.count("Not checked yet") == len(CODES_BY_NAME) - len(checked_codes())
    assert f"{len(checked_codes())} of them are checked today" in page
