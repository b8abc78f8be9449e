"""Tags, money, dice and lists: what they render, and what they refuse."""

from typing import Any

import pytest
from django.template import TemplateSyntaxError, engines

from compliance.core.web.templatetags.ui import banner, dice, money, tag
from compliance.core.web.ui.components import ConfirmationPanel, SummaryList, SummaryRow, Tag, Task, TaskList
from tests.compliance.core.web.conftest import Elements


def rendered(template: str, **context: Any) -> Elements:
    return Elements(engines["django"].from_string(template).render(context))


def test_a_tag_always_has_words() -> None:
    assert tag("Open", "warning") == '<strong class="tag tag-warning">Open</strong>'
    assert tag(Tag("Decided", "success")) == '<strong class="tag tag-success">Decided</strong>'
    assert tag("<b>") == '<strong class="tag tag-neutral">&lt;b&gt;</strong>'
    for words, kind in (("", "danger"), (" ", "danger"), ("Open", "red")):
        with pytest.raises(TemplateSyntaxError):
            tag(words, kind)


@pytest.mark.parametrize(
    ("cents", "currency", "value", "text"),
    [
        (123450, "AUD", "1234.50", "$1,234.50 AUD"),
        (5, "", "0.05", "$0.05"),
        (0, "", "0.00", "$0.00"),
        (-250, "", "-2.50", "−$2.50"),
        (100000000, "SGD", "1000000.00", "$1,000,000.00 SGD"),
    ],
)
def test_money_is_told_in_dollars(cents: int, currency: str, value: str, text: str) -> None:
    assert money(cents, currency) == f'<data class="figure" value="{value}">{text}</data>'


@pytest.mark.parametrize("value", [1.5, "100", True])
def test_money_that_is_not_integer_cents_is_refused(value: Any) -> None:
    with pytest.raises(TypeError, match="integer cents"):
        money(value)


def test_dice_are_drawn_and_written() -> None:
    page = Elements(dice((4, 4, 1)))
    assert [attrs["src"].split("/")[-1].split(".")[0] for attrs, _ in page.all("img")] == ["die-4", "die-4", "die-1"]
    assert [attrs["alt"] for attrs, _ in page.all("img")] == ["", "", ""]
    assert page.texts("span", class_="figure") == ["4-4-1"]


@pytest.mark.parametrize("faces", [(0, 1, 2), (1, 2, 7)])
def test_a_die_has_six_faces(faces: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="1 to 6"):
        dice(faces)


def test_a_summary_says_none_instead_of_nothing_and_names_what_changes() -> None:
    rows = [SummaryRow("Remark", ""), SummaryRow("State", Tag("Open", "info")), SummaryRow("Table", "SB-04", "/edit/")]
    page = rendered("{% summary_list summary %}", summary=SummaryList(rows))
    assert page.texts("dd") == ["None", "Open", "SB-04", "Change table"]


def test_a_summary_shows_zero_as_a_value() -> None:
    page = rendered("{% summary_list summary %}", summary=SummaryList([SummaryRow("Rounds", 0)]))
    assert page.texts("dd") == ["0"]


def test_a_task_that_cannot_start_is_no_link() -> None:
    tasks = TaskList([Task("Terms", Tag("Incomplete", "info"), "/terms/"), Task("Filing", Tag("Cannot start yet"))])
    page = rendered("{% task_list tasks %}", tasks=tasks)
    assert page.texts("a") == ["Terms"]
    assert page.texts("strong") == ["Incomplete", "Cannot start yet"]


def test_a_confirmation_shows_the_reference_and_what_happens_next() -> None:
    page = rendered(
        "{% confirmation it %}", it=ConfirmationPanel("Dispute lodged", "D-2026-0001", ["A supervisor decides."])
    )
    assert page.texts("h1") == ["Dispute lodged"]
    assert page.texts("strong") == ["D-2026-0001"]
    assert page.texts("h2") == ["What happens next"]


def test_only_bad_news_interrupts() -> None:
    roles = {
        kind: rendered("{% banner text kind %}", text="x", kind=kind).all("div")[0][0]["role"]
        for kind in ("success", "info", "warning", "error")
    }
    assert roles == {"success": "status", "info": "status", "warning": "status", "error": "alert"}
    assert banner("Saved.", "success")["title"] == "Done"
