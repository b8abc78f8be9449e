"""Wizard pages: errors are shown at their field with the clause, and the draft keeps everything else."""

from io import BytesIO
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from promotions.terms.content.terms import Prize
from promotions.terms.models import Attachment, Draft
from promotions.terms.services import add_prescribed_item
from tests.compliance.core.accounts.people import browser_of
from tests.promotions.crew import DAY, NOW, START, TRIP, Crew, answers, file_example_terms, make_draft

HERE = "/casinos/harbour/promotions/"
FLAT = {
    "name": "Flat", "value_cents": "750,000.00", "quantity": "1", "conditions": "", "detail-dwelling": "Flat",
    "detail-plans": "At the desk", "detail-contract": "Standard", "detail-easements": "None",
    "detail-address": "1 Quay Street", "detail-conveyancing": "Included", "detail-legal-costs": "Not included",
    "detail-fixtures": "All", "detail-furniture": "None",
}  # fmt: skip


def wizard(crew: Crew, content: dict[str, Any] | None = None) -> tuple[Client, str]:
    # Far ahead, because terms of a promotion that has begun are recorded whatever they break.
    ahead = answers(START + 3650 * DAY) if content is None else content
    return browser_of(crew.mara), f"{HERE}drafts/{make_draft(crew, ahead).pk}/"


def said_at(answer: Any) -> str:
    assert answer.status_code in (200, 422)
    return str(answer.content.decode())


def test_the_live_list_names_each_thing_that_is_missing_with_its_clause(crew: Crew) -> None:
    browser, draft = wizard(crew, {})
    page = said_at(browser.get(draft))
    for clause in (*(f"10.7.{number}" for number in range(1, 12)),):
        assert f"{clause}<" in page or f"{clause} " in page or f"{clause})" in page, clause
    browser.post(f"{draft}steps/eligibility/", {"text": "Members aged 18 or more."})
    assert Draft.objects.get().terms.answer_for("eligibility") == {"text": "Members aged 18 or more."}


@pytest.mark.parametrize(
    ("step", "typed", "sentence"),
    [
        ("closing-of-entries", {"closes_at": "2026-01-01T10:00"}, "Entries close before the promotion starts."),
        (
            "when-and-where-awarded",
            {"awarded_at": "2026-01-01T10:00", "where": "The stage"},
            "The prize is drawn before entries close.",
        ),
        ("minimum-wager", {"kind": "minimum", "cents": "20.005"}, "at most two digits after the point"),
        (
            "place-date-and-time-of-promotion",
            {"place": "Floor", "starts_at": "2036-11-20T10:00", "ends_at": "2036-11-19T10:00"},
            "The promotion does not end after it starts.",
        ),
    ],
)
def test_what_is_wrong_is_said_and_the_draft_stays(crew: Crew, step: str, typed: dict[str, str], sentence: str) -> None:
    browser, draft = wizard(crew)
    before = Draft.objects.get().answers
    page = said_at(browser.post(f"{draft}steps/{step}/", typed))
    assert sentence in page
    assert all(value in page for value in typed.values())
    assert Draft.objects.get().answers == before


def test_prizes_without_a_value_of_one_name_or_prohibited_are_refused(crew: Crew) -> None:
    browser, draft = wizard(crew)
    listed = add_prescribed_item(casino=crew.harbour, item="Fireworks", basis="A regulation", actor=crew.aron, now=NOW)
    goods = {"name": "Hamper", "value_cents": "50", "quantity": "1", "conditions": ""}
    for changed, sentence in (
        ({"value_cents": ""}, "Enter what the prize is worth."),
        ({"value_cents": "50.005"}, "at most two digits after the point"),
        ({"name": "hatchback"}, "Another prize has this name."),
        ({"includes": ["tobacco"]}, "Clause 10.5.1 prohibits it."),
        ({"includes": ["prohibited weapon"]}, "Clause 10.5.3 prohibits it."),
        ({"includes": [listed.key]}, "Clause 10.5.5 prohibits it."),
        ({"liquor_ml": "20.001"}, "Clause 10.5.4 prohibits it."),
        ({"liquor_ml": "a crate"}, "Enter litres in figures"),
    ):
        assert sentence in said_at(browser.post(f"{draft}prizes/new/goods/", goods | changed)), changed
    assert [prize.name for prize in Draft.objects.get().terms.prizes] == ["Hatchback", "Trip to Cairns"]
    browser.post(f"{draft}prizes/new/goods/", goods | {"liquor_ml": "20"})
    assert Draft.objects.get().terms.prizes[-1].liquor_ml == 20_000


def test_words_of_a_prize_are_asked_about_and_the_answer_is_kept(crew: Crew) -> None:
    browser, draft = wizard(crew)
    hamper = {"name": "Hamper with cigars", "value_cents": "50", "quantity": "1", "conditions": ""}
    page = said_at(browser.post(f"{draft}prizes/new/goods/", hamper))
    assert "“Hamper with cigars” mentions “cigars”. Does it include tobacco?" in page
    assert len(Draft.objects.get().terms.prizes) == 2
    browser.post(f"{draft}prizes/new/goods/", hamper | {"free-of-tobacco": "on"})
    assert Draft.objects.get().terms.prizes[-1].free_of == ("tobacco",)


def test_words_of_the_prescribed_list_are_asked_about_and_the_answer_is_kept(crew: Crew) -> None:
    browser, draft = wizard(crew)
    listed = add_prescribed_item(casino=crew.harbour, item="Fireworks", basis="A regulation", actor=crew.aron, now=NOW)
    evening = {"name": "Evening with a firework", "value_cents": "50", "quantity": "1", "conditions": ""}
    for kind in ("goods", "cash"):
        typed = {**evening, "name": f"{evening['name']}, {kind}"}
        page = said_at(browser.post(f"{draft}prizes/new/{kind}/", typed))
        assert "mentions “firework”. Does it include “Fireworks” of the prescribed list?" in page
        assert "No, it includes no “Fireworks”" in page
        browser.post(f"{draft}prizes/new/{kind}/", typed | {f"free-of-prescribed{listed.pk}": "on"})
        assert Draft.objects.get().terms.prizes[-1].free_of == (listed.key,)


@pytest.mark.parametrize("name", ["Fireworks", "firework", " FIREWORKS. ", "Tobacco"])
def test_a_prize_with_the_very_name_of_a_prohibited_item_cannot_be_answered_for(crew: Crew, name: str) -> None:
    browser, draft = wizard(crew)
    listed = add_prescribed_item(casino=crew.harbour, item="Fireworks", basis="A regulation", actor=crew.aron, now=NOW)
    typed = {"name": name, "value_cents": "50", "quantity": "1", "conditions": ""}
    answered = typed | {f"free-of-prescribed{listed.pk}": "on", "free-of-tobacco": "on"}
    for kind in ("goods", "cash"):
        page = said_at(browser.post(f"{draft}prizes/new/{kind}/", answered))
        assert "prohibits it." in page
        assert "Does it include" not in page
    assert len(Draft.objects.get().terms.prizes) == 2


def test_casino_and_slots_dollars_are_not_offered_a_cash_alternative_and_other_prizes_are(crew: Crew) -> None:
    browser, draft = wizard(crew)
    for kind, is_offered in (("casino-dollars", False), ("slots-dollars", False), ("vehicle", True), ("cash", False)):
        page = said_at(browser.get(f"{draft}prizes/new/{kind}/"))
        assert ("cash_alternative_cents" in page) is is_offered, kind


def test_the_number_of_persons_is_asked_for_as_a_number(crew: Crew) -> None:
    browser, draft = wizard(crew)
    trip = {"name": "Trip", "value_cents": "50", "quantity": "1", "conditions": ""}
    trip |= {f"detail-{name}": value for name, value in TRIP.details.items()}
    page = said_at(browser.post(f"{draft}prizes/new/travel/", trip | {"detail-persons": "two-ish"}))
    assert "Enter a whole number." in page
    assert "two-ish" in page
    browser.post(f"{draft}prizes/new/travel/", trip | {"detail-persons": "3"})
    assert Draft.objects.get().terms.prizes[-1].details["persons"] == "3"


def picture() -> bytes:
    content = BytesIO()
    Image.new("RGB", (4, 3)).save(content, "PNG")
    return content.getvalue()


def test_plans_that_are_not_what_their_name_says_are_refused_and_nothing_typed_is_lost(crew: Crew) -> None:
    browser, draft = wizard(crew)
    page = f"{draft}prizes/new/real-estate/"
    for content, name, sentence in (
        (b"<script>alert(1)</script>", "plans.pdf", "plans.pdf is not a JPEG or PNG photograph or a PDF"),
        (picture(), "plans.pdf", "plans.pdf is not what its name says: its content is image/png."),
        (b"\x89PNG\r\n\x1a\n" + bytes(40), "plans.png", "cannot be opened as one"),
        (b"", "plans.png", "empty"),
    ):
        answer = said_at(browser.post(page, FLAT | {"plans_file": SimpleUploadedFile(name, content)}))
        assert sentence in answer, name
        assert "1 Quay Street" in answer
    assert not Attachment.objects.exists()
    browser.post(page, FLAT | {"plans_file": SimpleUploadedFile("plans.png", picture())})
    kept = Draft.objects.get().terms.prizes[-1]
    assert kept.details["plans_sha256"] == Attachment.objects.get().sha256


def test_an_earlier_promotion_lends_its_words_and_prizes_but_not_its_times(crew: Crew) -> None:
    earlier = file_example_terms(crew)
    browser = browser_of(crew.mara)
    browser.post(f"{HERE}drafts/new/", {"like": str(earlier.pk)})
    lent = Draft.objects.get().terms
    assert [prize.name for prize in lent.prizes] == ["Hatchback", "Trip to Cairns"]
    assert (lent.starts_at, lent.closes_at, lent.awarded_at) == (None, None, None)
    assert lent.answer_for("eligibility") == {"text": "Members aged 18 or more."}


def test_a_scrutineer_of_an_earlier_promotion_is_shown_and_can_be_removed(crew: Crew) -> None:
    """Also where no prize needs one: the terms name the scrutineer all the same."""
    cheap = Prize(name="Dinner", type="goods", value_cents=5_000)
    browser, draft = wizard(crew, answers(START + 3650 * DAY, cheap, scrutineer={"name": "The notary"}))
    assert "overseen by a scrutineer: The notary" in said_at(browser.get(f"{draft}preview/"))
    page = said_at(browser.get(draft))
    assert f'href="{draft}steps/scrutineer/"' in page
    assert "The terms name The notary." in page
    assert "No prize of these terms needs one." in said_at(browser.get(f"{draft}steps/scrutineer/"))
    browser.post(f"{draft}steps/scrutineer/", {"name": ""})
    assert "scrutineer" not in said_at(browser.get(f"{draft}preview/"))
    assert f'href="{draft}steps/scrutineer/"' not in said_at(browser.get(draft))


def test_a_scrutineer_who_is_needed_cannot_be_removed(crew: Crew) -> None:
    browser, draft = wizard(crew)
    assert "Enter an answer." in said_at(browser.post(f"{draft}steps/scrutineer/", {"name": ""}))


AWARDING = {"awarded_at": "2036-12-01T20:00", "where": "The stage"}


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("20 November 2036 at 8 pm", "is not a time like 2026-11-20 20:00"),
        ("2036-11-20", "is not a time like 2026-11-20 20:00"),
        ("2036-13-20 20:00", "is not a time like 2026-11-20 20:00"),
        ("2036-10-05 02:30", "never happens, because clocks go forward over it"),
        ("2036-04-06 02:30", "Write “2036-04-06 02:30 first” or “2036-04-06 02:30 second”."),
    ],
)
def test_an_earlier_draw_that_is_no_time_names_the_format_of_the_hint(crew: Crew, line: str, sentence: str) -> None:
    browser, draft = wizard(crew, {})
    page = f"{draft}steps/when-and-where-awarded/"
    assert "such as 2026-11-20 20:00" in said_at(browser.get(page))
    answer = said_at(browser.post(page, AWARDING | {"earlier_at": f"2036-11-21 20:00\n{line}"}))
    assert sentence in answer
    assert line in answer
    assert "2036-11-21 20:00" in answer


def test_an_earlier_draw_in_a_repeated_hour_is_saved_and_shown_again(crew: Crew) -> None:
    browser, draft = wizard(crew, {})
    page = f"{draft}steps/when-and-where-awarded/"
    browser.post(page, AWARDING | {"earlier_at": "2036-04-06 02:30 second"})
    assert Draft.objects.get().terms.answer_for("when-and-where-awarded")["earlier_at"] == [
        "2036-04-05T16:30:00.000000Z"
    ]
    assert "2036-04-06 02:30 second" in said_at(browser.get(page))


@pytest.mark.parametrize(
    ("step", "typed"),
    [
        ("when-and-where-awarded", AWARDING | {"earlier_at": "2020-11-20 20:00"}),
        ("when-and-where-awarded", AWARDING | {"awarded_at": "2020-11-20T20:00", "earlier_at": ""}),
        ("closing-of-entries", {"closes_at": "2020-11-20T20:00"}),
    ],
)
def test_a_year_long_past_is_asked_about_before_it_is_saved(crew: Crew, step: str, typed: dict[str, str]) -> None:
    browser, draft = wizard(crew, {})
    page = said_at(browser.post(f"{draft}steps/{step}/", typed))
    assert "20 November 2020: more than a year ago. Is the year right?" in page
    assert all(value in page for value in typed.values())
    assert Draft.objects.get().answers == {}
    browser.post(f"{draft}steps/{step}/", typed | {"is_year_right": "on"})
    saved = Draft.objects.get().terms.answer_for(step)
    assert "2020-11-20" in str(saved)
    assert "is_year_right" not in saved


def test_the_preview_has_the_very_words_of_the_public_page(crew: Crew) -> None:
    browser, draft = wizard(crew)
    preview = said_at(browser.get(f"{draft}preview/"))
    browser.post(f"{draft}file/")
    public = said_at(Client().get("/promotions/harbour/1/1/"))
    words = [page.split('<article class="prose">')[1].split("</article>")[0] for page in (preview, public)]
    assert words[0] == words[1]
    assert "Registration and other on-road costs" in words[1]
