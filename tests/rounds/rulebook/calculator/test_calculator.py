"""The calculator: choice of rules, fields, answers and error messages."""

import re
from datetime import UTC, datetime
from html import unescape
from typing import Any, get_args

import pytest
import time_machine
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from rounds.engine.pack.vocabulary import VoidReasonName
from rounds.engine.settle.settlement import Verdict
from rounds.rulebook.labels import FAMILY_LABELS, VERDICT_TAGS, VOID_REASON_LABELS, bet_label
from rounds.rulepacks import shipped_packs
from tests.compliance.core.accounts.people import browser_of
from tests.rounds.engine.cases import LICENSEE, MBS, NSW, RWS, SKYCITY
from tests.rounds.rulebook.rule_makers import RuleMakers, days_later, propose, propose_and_approve

URL = "/casinos/harbour/calculator/"
SHIPPED = {pack.slug: f"shipped:{pack.name}" for pack in shipped_packs()}


@pytest.fixture
def gus(rulers: RuleMakers) -> Client:
    return browser_of(rulers.gus)


def asked(rules: str, bet: str, dice: str = "", stake: str = "1.00", **more: Any) -> dict[str, Any]:
    """The query that the form sends. Dice are written "2-3-3"."""
    faces = {f"dice-{place}": face for place, face in enumerate(dice.split("-"), start=1)} if dice else {}
    return {"rules": rules, "bet": bet, "stake": stake, "ask": "1", **faces, **more}


def words(browser: Client, query: dict[str, Any]) -> str:
    page = browser.get(URL, query)
    assert page.status_code == 200
    return words_of(page.content.decode())


def words_of(html: str) -> str:
    main = html.partition('<main id="main" tabindex="-1">')[2].partition("</main>")[0]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", main)).split())


ANSWERS: list[tuple[dict[str, Any], list[str]]] = [
    (
        asked(SHIPPED[RWS], "total:8", "2-3-3", pay_table="1"),
        [
            "Wins",
            "Hand back $9.50",
            "Winnings $8.50 at 8.5 to 1",
            "Total Sum Combination Bet: 8 wins. Clause 4.1.1",
        ],
    ),
    (
        asked(SHIPPED[RWS], "double-single:1-1-2", "1-1-2", pay_table="2"),
        ["Not approved", "The rules give no verdict on this wager", "All thirty", "$51.00"],
    ),
    (
        asked(SHIPPED[NSW], "even", "2-4-4"),
        ["Loses", "Nothing to hand back", "Clause 3.2.2.2", "Every even total Clause 3.2.2.1", "Wins $2.00"],
    ),
    (
        asked(SHIPPED[NSW], "even", "2-4-4", **{"reading-even": "every-even-total"}),
        ["Hand back $2.00", "Not as adopted Even is read here as “Every even total”"],
    ),
    (
        asked(SHIPPED[SKYCITY], "pair:1-2", "1-2-6", "5.00", unit="1.00"),
        ["Hand back $33.00", "$27.50 cannot be paid in units of $1.00: raised to $28.00. Clause 8.f"],
    ),
    (
        asked(SHIPPED[LICENSEE], "total:4", "1-1-2", posted="60 TO 1"),
        ["Winnings $60.00 at 60 to 1", "It pays the odds posted at the table, 60 to 1. Clause 5(f)"],
    ),
    (asked(SHIPPED[LICENSEE], "single:3", "3-3-1", posted="1 to 1, 4 to 1, 9 to 1"), ["Hand back $5.00"]),
    (
        asked(SHIPPED[NSW], "small", "1-2-3", "100", maximum="60"),
        ["Hand back $160.00", "counts up to the maximum of $60.00; $40.00 is handed back. Clause 4.3"],
    ),
    (asked(SHIPPED[NSW], "small", "1-2-3", "100", maximum="60", found_later="on"), ["Hand back $200.00"]),
    (asked(SHIPPED[NSW], "small", "1-2-3", token="on"), ["Hand back $1.00", "Token returned"]),
    (
        asked(SHIPPED[NSW], "small", void="not-flat"),
        ["Void, stake returned", "Hand back $1.00", "no result (a die did not lie flat). Clause 8.1"],
    ),
    (asked(SHIPPED[SKYCITY], "small", "1-2-3", minimum="5", warned="on"), ["Hand back $1.00", "Clause 8.d"]),
    (
        asked(SHIPPED[SKYCITY], "small", "1-2-3", lights_failed="on", **{f"called-{n}": "6" for n in (1, 2, 3)}),
        ["Loses", "the result called decides: 6-6-6, total 18. Clause 7.e", "Lights fail: Dice"],
    ),
    (asked(SHIPPED[RWS], "small", "1-2-3", pay_table="1", unregistered="on"), ["Void, stake returned"]),
    (asked(SHIPPED[MBS], "triple:any", "4-4-4"), ["Wins", "Hand back"]),
]


def test_what_it_answers(gus: Client) -> None:
    for question, answers in ANSWERS:
        page = words(gus, question)
        assert [answer for answer in answers if answer not in page] == [], (question, page[:1500])


def test_a_super_streak_is_followed_result_by_result(gus: Client) -> None:
    question = asked(SHIPPED[NSW], "streak:small", stake="5")
    assert "Still running Nothing is due yet" in words(gus, question)
    for result in ("1-1-2", "none", "1-1-3", "1-2-2", "1-2-3"):
        faces = {f"next-{place}": face for place, face in enumerate(result.split("-"), start=1)}
        act = {"do": "no-result"} if result == "none" else {"do": "add", **faces}
        page = gus.get(URL, question | act, follow=True)
        # From here on the URL contains everything.
        question = {key: values if key == "history" else values[0] for key, values in page.wsgi_request.GET.lists()}
    text = words_of(page.content.decode())
    assert "1-1-2, no result, 1-1-3, 1-2-2, 1-2-3" in text
    assert "Rounds without a result, which leave it where it is: 1. Clause 8.6" in text
    ended = words(gus, question | {"next-1": "6", "next-2": "6", "next-3": "5"})
    # Four in a row pay 2 to 1 (NSW 7.2).
    assert "Wins Hand back" in ended
    assert "4 in a row. The other side came up and ended the streak." in ended
    removed = gus.get(URL, question | {"do": "remove:1"})
    assert removed.headers["Location"].count("history=") == 4
    assert "history=none" not in removed.headers["Location"]


COMPLAINTS: list[tuple[dict[str, Any], str, str]] = [
    (asked(SHIPPED[NSW], "", "1-2-3"), "bet", "Choose the box that the wager was on."),
    (asked(SHIPPED[NSW], "nonsense", "1-2-3"), "bet", "Choose the box that the wager was on."),
    (asked(SHIPPED[NSW], "small"), "dice", "Choose one face in each row, or say why the round is void."),
    (asked(SHIPPED[NSW], "small", "1-2-"), "dice", "Choose one face in each row: every die shows 1 to 6."),
    (asked(SHIPPED[MBS], "small", "1-2-7"), "dice", "Choose one face in each row: every card shows 1 to 6."),
    (asked(SHIPPED[NSW], "small", "1-2-3", "ten"), "stake", "Enter an amount in dollars, such as 1,234.50."),
    (asked(SHIPPED[NSW], "small", "1-2-3", "0"), "stake", "The amount must be $0.01 or more."),
    (asked(SHIPPED[RWS], "total:8", "2-3-3", "0.01", pay_table="1"), "stake", "not whole cents"),
    (asked(SHIPPED[NSW], "small", "1-2-3", maximum="x"), "maximum", "Enter an amount in dollars"),
    (
        asked(SHIPPED[SKYCITY], "small", "1-2-3", minimum="9", maximum="5"),
        "maximum",
        "must not be below the minimum",
    ),
    (asked(SHIPPED[SKYCITY], "small", "1-2-3", multiples="on"), "minimum", "Enter the minimum"),
    (
        asked(SHIPPED[LICENSEE], "total:4", "1-1-2", posted="45 to 1"),
        "posted",
        "below the minimum of 50 to 1 in clause 4(b)",
    ),
    (asked(SHIPPED[LICENSEE], "total:4", "1-1-2", posted="60 for 1"), "posted", "such as 60 to 1."),
    (asked(SHIPPED[LICENSEE], "single:3", "3-3-1", posted="2 to 1"), "posted", "Enter all, with commas."),
    (
        asked(SHIPPED[SKYCITY], "small", "1-2-3", lights_failed="on"),
        "called",
        "the result called decides. Enter it.",
    ),
    (asked(SHIPPED[NSW], "streak:small-big", history="1-2-3"), "opening", "takes its direction"),
    (asked(SHIPPED[NSW], "small", "1-2-3", void="earthquake"), "void", "Choose one from the list."),
    (
        asked(SHIPPED[NSW], "small", "1-2-3", **{"reading-even": "upside-down"}),
        "reading-even",
        "Choose one from the list.",
    ),
    (asked("shipped:roulette@1", "small", "1-2-3"), "rules", "Choose one from the list."),
]


def test_what_cannot_be_settled_is_said_beside_the_field_and_nothing_is_lost(gus: Client) -> None:
    for question, field, complaint in COMPLAINTS:
        page = gus.get(URL, question)
        html, form = unescape(page.content.decode()), page.context["form"]
        assert list(form.errors) == [field], question
        assert complaint in " ".join(form.errors[field])
        assert "<title>Error: What would this pay?" in html
        assert f'id="id_{field}_error"' in html
        assert page.context["answer"] is None
        assert f'name="stake" value="{question["stake"]}"' in html
        if question["bet"] == "small":
            assert 'value="small" id="id_bet_small" checked' in html


def test_only_what_the_document_knows_is_asked(gus: Client) -> None:
    def fields(slug: str) -> set[str]:
        form = gus.get(URL, {"rules": SHIPPED[slug]}).context["form"]
        return {name for name in form.fields if not name.startswith("reading-")} - {"rules", "bet", "dice", "stake"}

    streak = {"next", "opening"}
    assert fields(NSW) == {"void", "minimum", "maximum", "found_later", "token", "lights_failed"} | streak
    assert fields(RWS) == {"pay_table", "void", "unregistered"}
    assert fields(MBS) == {"void"}
    assert fields(SKYCITY) == {
        "void",
        "minimum",
        "maximum",
        "multiples",
        "unit",
        "warned",
        "lights_failed",
        "called",
    }
    assert fields(LICENSEE) == {"void", "posted", "lights_failed"}


def test_other_rules_keep_stake_and_dice_and_ask_again(gus: Client) -> None:
    question = asked(SHIPPED[NSW], "field", "1-2-3", "25", do="rules")
    html = gus.get(URL, question, follow=True).content.decode()
    assert 'role="alert"' not in html
    assert 'name="stake" value="25"' in html
    assert 'id="id_dice_2_2" checked' in html
    # NSW has no Field, but the chosen box is still shown.
    assert "not approved" in words_of(html)


class TestRulesAtHand:
    def test_without_approved_rules_the_shipped_packs_serve_and_it_says_so(self, gus: Client) -> None:
        page = words(gus, {})
        assert "No rules are approved for this casino yet" in page
        assert page.count("@") >= 5

    @time_machine.travel(days_later(10), tick=False)
    def test_the_version_in_force_is_the_default(self, rulers: RuleMakers, gus: Client) -> None:
        propose_and_approve(rulers)
        propose(rulers, RWS)
        page = gus.get(URL)
        assert page.context["chosen"].key == f"{NSW}@1"
        text = words_of(page.content.decode())
        assert "No rules are approved" not in text
        assert RWS not in text
        answer = words(gus, asked(f"{NSW}@1", "even", "2-4-4"))
        assert "version 1, from 1 Jun 2026, 10:00 am AEST In force" in answer

    def test_the_instant_decides_which_one_is_in_force(self, rulers: RuleMakers, gus: Client) -> None:
        propose_and_approve(rulers)
        propose_and_approve(rulers, effective_at=days_later(30))
        for instant, number in ((days_later(30).replace(hour=0) - RESOLUTION, 1), (days_later(30), 2)):
            with time_machine.travel(instant, tick=False):
                assert gus.get(URL).context["chosen"].key == f"{NSW}@{number}"

    @time_machine.travel(days_later(40), tick=False)
    def test_a_superseded_version_can_be_chosen_and_is_marked(self, rulers: RuleMakers, gus: Client) -> None:
        propose_and_approve(rulers)
        propose_and_approve(rulers, effective_at=days_later(30))
        assert "In force before" in words(gus, asked(f"{NSW}@1", "even", "2-4-4"))

    @time_machine.travel(days_later(10), tick=False)
    def test_another_casinos_version_is_not_to_be_had(self, rulers: RuleMakers, gus: Client) -> None:
        propose_and_approve(rulers)
        assert gus.get(URL, {"rules": f"{NSW}@77"}).context["chosen"].key == f"{NSW}@1"
        assert gus.get("/casinos/marina/calculator/").status_code == 404

    @time_machine.travel(days_later(10), tick=False)
    def test_the_print_carries_digest_time_and_address(self, rulers: RuleMakers, gus: Client) -> None:
        version = propose_and_approve(rulers)
        page = words(gus, asked(f"{NSW}@1", "even", "2-4-4", maximum="50"))
        assert version.pack_id in page
        assert version.truth_sha256["1"] in page
        assert "11 Jun 2026, 10:00 am AEST at Harbour Casino, for Gus" in page
        assert "http://testserver/casinos/harbour/calculator/?rules=nsw-sic-bo%401&bet=even" in page
        assert "Maximum on the sign $50.00" in page

    def test_however_many_versions_the_number_of_queries_stays(
        self, rulers: RuleMakers, gus: Client, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        question = asked(f"{NSW}@1", "even", "2-4-4")
        propose_and_approve(rulers)
        gus.get(URL, question)
        with django_assert_num_queries(QUERIES):
            gus.get(URL, question)
        for days in range(1, 6):
            propose_and_approve(rulers, effective_at=days_later(days))
        with django_assert_num_queries(QUERIES):
            gus.get(URL, question)


RESOLUTION = datetime(2026, 1, 1, 0, 0, 1, tzinfo=UTC) - datetime(2026, 1, 1, tzinfo=UTC)
QUERIES = 6


def test_everything_has_words() -> None:
    assert set(VOID_REASON_LABELS) == set(get_args(VoidReasonName))
    assert set(VERDICT_TAGS) == set(Verdict)
    assert len({tag.label for tag in VERDICT_TAGS.values()}) == len(Verdict)
    assert FAMILY_LABELS["total"] == "Total"


def test_a_mangled_address_never_breaks_the_page(gus: Client) -> None:
    for junk in ("history=9-9-9", "history=1-2-x", "dice-1=%00", "do=remove:99", "do=remove:x", "do=%F0", "rules=@"):
        page = gus.get(f"{URL}?ask=1&bet=streak:small&stake=1&{junk}", follow=True)
        assert page.status_code == 200, junk


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("small", "Small"),
        ("total:8", "Total: 8"),
        ("triple:any", "Triple: Any"),
        ("pair:1-2", "Two numbers: 1-2"),
        ("", ""),
        ("hearsay", "hearsay"),
    ],
)
def test_a_bet_is_named_without_rules_at_hand(code: str, said: str) -> None:
    assert bet_label(code) == said
