"""Pages of a version for people with different roles."""

from datetime import timedelta
from functools import partial

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from time_machine import TimeMachineFixture

from compliance.core.web.local_time import format_local
from rounds.rulebook.models import MediaType, RuleVersion
from rounds.rulebook.versions.approve import withdraw_version
from rounds.rulebook.versions.propose import SourceUpload
from tests.compliance.core.accounts.people import browser_of, sign_off
from tests.compliance.core.web.confirming import post_anyway, shown_prediction
from tests.rounds.rulebook.rule_makers import APPROVED_AT, NSW, RWS, RuleMakers, approve, propose, propose_and_approve
from tests.rounds.rulebook.versions.test_rulings import rule

RULEBOOK = "/casinos/harbour/rulebook/"
NSW_1 = f"{RULEBOOK}{NSW}/1/"


def text(browser: Client, url: str) -> str:
    answer = browser.get(url)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_a_version_shows_wagers_edges_readings_roles_clauses_and_who_signed(rulers: RuleMakers) -> None:
    version = propose_and_approve(rulers)
    page = text(browser_of(rulers.gus), NSW_1)
    assert "The total is 4, 6, 8, 12, 14, 16 or 18, but not on triple 2 or 4" in page
    # N1: Even as printed keeps 26.85 %; under the ruling that is expected it would be 2.78 %, with 28 results changed.
    assert '26.85 % <span class="hint">(29/108)' in page
    assert "28 results of even" in page
    # N4: the two readings of Super Streak that are not adopted give the player 80.37 %.
    assert "-80.37 %" in page
    assert "Player has the advantage" in page
    assert "reviewing casino supervisor" in page
    assert "screen:rulebook:rules" in page
    assert "by Cora" in page
    assert "by Ines" in page
    assert f"Entry {version.approved_index} of the log harbour." in page
    assert version.pack_id in page


def test_cards_show_an_edge_for_each_number_of_decks(rulers: RuleMakers) -> None:
    approve(rulers, propose(rulers, "mbs-3-card-sic-bo"), evidence="")
    page = text(browser_of(rulers.gus), f"{RULEBOOK}mbs-3-card-sic-bo/1/")
    assert "2 decks: " in page
    assert "6 decks: " in page


def test_the_comparison_lists_every_result_that_pays_otherwise(rulers: RuleMakers) -> None:
    rule(rulers, propose_and_approve(rulers))
    page = text(browser_of(rulers.gus), f"{RULEBOOK}{NSW}/2/diff/")
    # The 27 rolls with a total of 10 (no triples) now win; 6-6-6 now loses.
    assert '<td>lose</td><td>1 to 1</td><td class="figure">27</td>' in page
    assert "6-6-6" in page
    first = text(browser_of(rulers.gus), f"{NSW_1}diff/")
    assert "nothing to compare it with" in first


def test_the_whole_truth_table_is_paged_filtered_and_downloaded(rulers: RuleMakers) -> None:
    propose_and_approve(rulers, RWS, evidence="")
    browser, truth = browser_of(rulers.gus), f"{RULEBOOK}{RWS}/1/truth"
    page = text(browser, f"{truth}/?table=2&bet=total:8")
    assert "216 rows" in page or "1 to 216 of 216" in page
    assert text(browser, f"{truth}/?table=9&bet=nonsense").count("<tr>") > 200
    lines = b"".join(browser.get(f"{truth}.csv").streaming_content).decode("utf-8-sig").splitlines()  # type: ignore[attr-defined]
    assert lines[0] == "pay_table,bet,result,pays"
    assert "1,total:8,2-3-3,8.5 to 1" in lines
    assert len([line for line in lines if line.startswith("2,total:8,")]) == 216


def test_each_person_gets_the_buttons_of_what_they_may_do(rulers: RuleMakers) -> None:
    propose(rulers)
    pages = {who: text(browser_of(getattr(rulers, who)), NSW_1) for who in ("cora", "ines", "gus")}
    acts = ("approve", "withdraw", "ruling")
    buttons = {who: [act for act in acts if f"{NSW_1}{act}/" in page] for who, page in pages.items()}
    assert buttons == {"cora": ["withdraw"], "ines": ["approve", "withdraw"], "gus": []}
    approve(rulers, RuleVersion.objects.get())
    assert "/ruling/" in text(browser_of(rulers.ines), NSW_1)


def test_what_waits_is_on_the_home_page_of_those_who_may_approve(rulers: RuleMakers) -> None:
    propose(rulers, actor=rulers.ines)
    link = f"{NSW_1}approve/"
    assert link in text(browser_of(rulers.olga), "/")
    assert link not in text(browser_of(rulers.ines), "/")
    assert link not in text(browser_of(rulers.cora), "/")


def test_an_approval_by_page_keeps_what_was_typed_when_it_is_refused(rulers: RuleMakers) -> None:
    propose_and_approve(rulers)
    propose(rulers)
    browser, url, again_by_olga = browser_of(rulers.olga), f"{RULEBOOK}{NSW}/2/approve/", partial(sign_off, rulers.olga)
    typed = {"effective_at": "2026-06-01T10:00", "evidence": "Gazette.", "edge_reason": "Considered."}
    refused = browser.post(url, typed | sign_off(rulers.olga)).content.decode()
    assert "Another version of the same rules takes effect at that very instant" in refused
    assert "Gazette." in refused
    post_anyway(browser, url, typed | {"effective_at": "2026-06-02T10:00"} | sign_off(rulers.olga), again=again_by_olga)
    assert RuleVersion.objects.approved().count() == 2
    again = browser.get(url)
    assert again.status_code == 409
    assert "no longer waiting" in again.content.decode()


def test_an_instant_in_the_past_is_never_filled_in_and_needs_a_second_confirmation(
    rulers: RuleMakers, time_machine: TimeMachineFixture
) -> None:
    approved = propose_and_approve(rulers)
    named_at = timezone.now() + timedelta(days=1)
    rule(rulers, approved, wanted_at=named_at)
    browser, url = browser_of(rulers.olga), f"{RULEBOOK}{NSW}/2/approve/"
    page = browser.get(url)
    assert (
        page.context["form"]["effective_at"].value().startswith(f"{named_at.astimezone(rulers.harbour.zone):%Y-%m-%d}")
    )
    time_machine.move_to(named_at + timedelta(hours=1), tick=False)
    browser = browser_of(rulers.olga)
    page = browser.get(url)
    assert not page.context["form"]["effective_at"].value()
    assert f"The proposal names {format_local(named_at, rulers.harbour)}." in page.content.decode()
    typed = {"effective_at": "2026-06-02T10:00", "evidence": "Gazette.", "edge_reason": "Considered."}
    warned = browser.post(url, typed | sign_off(rulers.olga))
    past = "2 Jun 2026, 10:00 am AEST is in the past: rounds played since then are judged again."
    assert list(shown_prediction(warned).doubts) == [past]
    assert not RuleVersion.objects.get(number=2).approved_at
    now = timezone.now().astimezone(rulers.harbour.zone)
    at_now = typed | {"effective_at": f"{now + timedelta(minutes=1):%Y-%m-%dT%H:%M}"}
    assert browser.post(url, at_now | sign_off(rulers.olga)).status_code == 302


def test_an_approval_without_the_right_code_changes_nothing(rulers: RuleMakers) -> None:
    propose(rulers)
    typed = {"effective_at": "2026-06-01T10:00", "evidence": "Gazette.", "edge_reason": "Considered."}
    wrong = sign_off(rulers.ines) | {"code": "000000"}
    assert browser_of(rulers.ines).post(f"{NSW_1}approve/", typed | wrong).status_code == 200
    assert not RuleVersion.objects.approved().exists()


def test_patrons_read_what_was_approved_and_nothing_else(rulers: RuleMakers) -> None:
    anybody = Client()
    version = propose(rulers)
    for page in ("", "1/", "1/document/"):
        assert anybody.get(f"/rules/harbour/{NSW}/{page}").status_code == 404
    approve(rulers, version)
    page = text(anybody, f"/rules/harbour/{NSW}/1/")
    assert "The minimum rises only after a sign has announced it for 20 minutes." in page
    assert "The games supervisor decides first; in their absence, the casino supervisor." in page
    assert anybody.get(f"/rules/harbour/{NSW}/").headers["Location"] == f"/rules/harbour/{NSW}/1/"
    assert anybody.get("/rules/nowhere/nsw-sic-bo/").status_code == 404
    withdrawn = withdraw_version(version=propose(rulers), reason="No.", actor=rulers.cora, now=APPROVED_AT)
    assert anybody.get(f"/rules/harbour/{NSW}/{withdrawn.number}/").status_code == 404


@pytest.mark.parametrize("kind", MediaType)
def test_a_document_is_saved_as_it_was_uploaded_and_never_run(rulers: RuleMakers, kind: MediaType) -> None:
    content = b"%PDF-1.7" if kind is MediaType.PDF else b"<script>alert(1)</script>"
    adopted = approve(rulers, propose(rulers, source=SourceUpload(content, 'the "rules"; v1.html', kind)))
    for url in (adopted.address("rules-document"), adopted.address("document")):
        answer = browser_of(rulers.gus).get(url)
        assert answer.content == content
        assert answer.headers["Content-Type"].partition(";")[0] == kind
        assert answer.headers["Content-Disposition"] == 'attachment; filename="the \\"rules\\"; v1.html"'
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


def copies(number: int) -> None:
    """Creates many copies of a version, as after years of rulings; only their numbers and entries differ."""
    with connection.cursor() as cursor:
        cursor.execute(
            # In the FROM list the expression is evaluated once per row; in the SELECT list, once per column.
            "INSERT INTO rulebook_ruleversion SELECT copy.* FROM rulebook_ruleversion v, generate_series(1, %s) n, "
            "jsonb_populate_record(v, jsonb_build_object("
            "'id', v.id + n, 'number', v.number + n, 'proposed_index', v.proposed_index + n)) copy",
            [number],
        )
        cursor.execute("ANALYZE rulebook_ruleversion")


def test_a_rulebook_of_none_one_and_ten_thousand_takes_the_same_queries(rulers: RuleMakers) -> None:
    browser = browser_of(rulers.olga)
    assert "No rules are in force here yet." in text(browser, RULEBOOK)
    propose(rulers)
    with CaptureQueriesContext(connection) as for_one:
        text(browser, RULEBOOK)
    copies(9_999)
    with CaptureQueriesContext(connection) as for_many:
        assert "1 to 50 of 10,000" in text(browser, RULEBOOK)
    assert len(for_many) == len(for_one)
    with CaptureQueriesContext(connection) as for_home:
        text(browser, "/")
    assert len(for_home) < 20
