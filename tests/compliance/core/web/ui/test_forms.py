"""Forms: what a person sees when filling one in, and when it comes back with errors."""

from typing import Any

import pytest
from django import forms
from django.forms.renderers import DjangoTemplates
from django.test import Client
from django.utils.safestring import SafeString

from compliance.core.web.ui.forms import ComponentFormRenderer, form_error_messages
from tests.compliance.core.web.component_gallery import NoticeForm
from tests.compliance.core.web.conftest import Elements

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.compliance.core.web.component_gallery")]

GOOD = {
    "table": "SB-04",
    "minimum": "25.00",
    "begins_at": "2026-11-16T21:42",
    "reason": "demand",
    "shown_on": ["screen", "board"],
    "is_told": "on",
}


def sent(client: Client, **changes: object) -> Elements:
    response = client.post("/form/", {name: value for name, value in (GOOD | changes).items() if value is not None})
    assert response.status_code == 200
    return Elements(response.content.decode())


def test_a_fresh_form_has_labels_above_hints_and_no_complaints(client: Client) -> None:
    page = Elements(client.get("/form/").content.decode())
    assert page.texts("title") == ["Change a limit – Fairthrow"]
    (label,) = [words for attrs, words in page.all("label", for_="id_table")] or [""]
    assert label == "Table"
    (field,) = page.all("input", name="table")
    assert field[0]["aria-describedby"] == "id_table_helptext"
    assert page.texts("div", id="id_table_helptext") == ["As it is written on the layout, for example SB-04."]
    assert page.all("div", class_="error-summary") == []
    assert "Remark (optional)" in page.texts("label")


class LimitedForm(forms.Form):
    rounds = forms.IntegerField(min_value=1, max_value=1000)
    purpose = forms.CharField(max_length=5)
    days = forms.IntegerField(max_value=7, error_messages={"max_value": "A week at most."})


@pytest.mark.parametrize(
    ("name", "typed", "said"),
    [
        ("rounds", "0", "Enter 1 or more."),
        ("rounds", "1001", "Enter 1,000 or less."),
        ("rounds", "many", "Enter a whole number."),
        ("purpose", "abcdef", "Shorten it to 5 characters; it has 6."),
        ("days", "8", "A week at most."),
    ],
)
def test_a_limit_is_told_in_words_for_people(name: str, typed: str, said: str) -> None:
    assert form_error_messages(LimitedForm({name: typed})[name]) == [said]


def test_the_form_can_be_sent_only_from_our_own_page_and_holds_files(client: Client) -> None:
    (form,) = Elements(client.get("/form/").content.decode()).all("form", class_="form")
    assert form[0]["method"] == "post"
    assert form[0]["enctype"] == "multipart/form-data"
    strict = Client(enforce_csrf_checks=True)
    assert strict.post("/form/", GOOD).status_code == 403


def test_choices_are_groups_with_a_legend(client: Client) -> None:
    page = Elements(client.get("/form/").content.decode())
    assert page.texts("legend") == ["Reason", "Where the sign is shown"]
    assert [attrs["value"] for attrs, _ in page.all("input", name="reason", type="radio")] == ["demand", "staff"]
    assert [words for attrs, words in page.all("label", for_="id_shown_on_1")] == ["Board"]


def test_the_zone_and_the_currency_stand_beside_their_fields(client: Client) -> None:
    affixes = Elements(client.get("/form/").content.decode()).texts("span", class_="affix")
    assert affixes == ["$", "AUD", "Sydney time"]


def test_a_form_that_comes_back_says_so_in_the_title_and_at_the_top(client: Client) -> None:
    page = sent(client, minimum="1.234", reason="", shown_on=None, is_told=None)
    assert page.texts("title") == ["Error: Change a limit – Fairthrow"]
    ((summary, _),) = page.all("div", class_="error-summary")
    assert summary["role"] == "alert"
    assert summary["tabindex"] == "-1"
    links = {attrs["href"]: words for attrs, words in page.all("a") if attrs.get("href", "").startswith("#id_")}
    assert links == {
        "#id_minimum": "New minimum: Enter whole cents: at most two digits after the point.",
        "#id_reason_0": "Reason: Choose one.",
        "#id_shown_on_0": "Where the sign is shown: Choose at least one.",
        "#id_is_told": "The players at the table have been told: Tick the box to go on.",
    }
    ids = {attrs["id"] for _, attrs, _ in page.found if "id" in attrs}
    assert {href.removeprefix("#") for href in links} <= ids


def test_a_field_in_error_is_tied_to_its_message_and_keeps_what_was_typed(client: Client) -> None:
    page = sent(client, minimum="1.234", table="")
    ((field, _),) = page.all("input", name="minimum")
    assert field["aria-invalid"] == "true"
    assert field["aria-describedby"] == "id_minimum_error"
    assert field["value"] == "1.234"
    assert page.texts("p", id="id_minimum_error") == ["Error: Enter whole cents: at most two digits after the point."]
    ((table, _),) = page.all("input", name="table")
    assert table["aria-describedby"] == "id_table_helptext id_table_error"


def test_an_error_of_the_whole_form_heads_the_summary(client: Client) -> None:
    page = sent(client, table="SB-00")
    (summary,) = page.texts("div", class_="error-summary")
    assert summary == "There is a problem Table SB-00 is closed."


def test_nothing_typed_or_stored_can_become_markup() -> None:
    form = NoticeForm(GOOD | {"table": "<script>alert(1)</script>", "minimum": "x"})
    form.fields["table"].help_text = "Less < more"
    html = str(form)
    assert "<script>" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
    assert "Less &lt; more" in html


def test_a_good_form_passes_with_typed_values() -> None:
    form = NoticeForm(GOOD)
    assert form.is_valid(), form.errors
    assert form.cleaned_data["minimum"] == 2500
    assert form.cleaned_data["begins_at"].isoformat() == "2026-11-16T10:42:00+00:00"


CHOICES = {
    "plain": [("", "Any"), ("a", "A & B <i>"), (7, "Seven"), ("safe", SafeString("<b>B</b>"))],
    "grouped": [("Tables", [("sb-1", "One"), ('"2"', "Two")]), ("", "None of them")],
}


@pytest.mark.parametrize("choices", CHOICES.values(), ids=CHOICES)
@pytest.mark.parametrize("value", ["", "a", "7", "sb-1", '"2"'])
def test_a_list_to_choose_from_is_written_as_django_writes_it(choices: list[Any], value: str) -> None:
    attributes = {"id": "id_x", "required": True, "disabled": False, "class": 'a"b'}
    widget = forms.Select(attributes, choices)
    ours, theirs = (
        widget.render("x<y", value, renderer=renderer) for renderer in (ComponentFormRenderer(), DjangoTemplates())
    )
    assert ours == theirs


@pytest.mark.parametrize(
    ("typed", "is_accepted"),
    [
        ("0001-01-01T00:00", False),
        ("1999-12-31T23:59", False),
        ("2000-01-01T00:00", True),
        ("9998-12-31T23:59", True),
        ("9999-12-31T23:59", False),
    ],
)
def test_a_year_that_no_record_has_is_named_as_such(client: Client, typed: str, is_accepted: bool) -> None:
    page = str(client.post("/form/", GOOD | {"begins_at": typed}).content)
    assert ("Enter a year from 2000 on, with four digits." in page) == (not is_accepted)
