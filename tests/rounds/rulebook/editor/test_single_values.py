"""Single values of a pack changed by form fields: only that value is rewritten, the rest of the text is unchanged."""

import tomllib
from difflib import ndiff
from typing import Any

import pytest
from django.forms import Textarea, TextInput

from rounds.rulebook.editor.forms import ValuesForm
from rounds.rulebook.editor.single_values import EditableValue, list_editable_values, rewrite_values, value_form_titles
from rounds.rulepacks import PACK_FOLDER
from tests.compliance.core.accounts.people import browser_of
from tests.rounds.reference.golden import SLUGS
from tests.rounds.rulebook.editor.test_edit_pages import EDIT, begin, keep, kept, window_of
from tests.rounds.rulebook.rule_makers import NSW, RuleMakers, shipped_pack_bytes

TEXT = shipped_pack_bytes(NSW).decode()
VALUES = f"{EDIT}values/"


def changed(before: str, after: str) -> list[str]:
    return [line for line in ndiff(before.split("\n"), after.split("\n")) if line[0] in "+-"]


@pytest.mark.parametrize("slug", SLUGS)
def test_every_value_is_rewritten_in_its_own_place(slug: str) -> None:
    text = (PACK_FOLDER / f"{slug}.toml").read_text()
    table = tomllib.loads(text)
    values = [value for part in value_form_titles(table) for value in list_editable_values(table, part)]
    assert len(values) > 60
    assert rewrite_values(text, {value.key: value.now for value in values if value.now is not None}) == text


def test_several_values_are_rewritten_at_once() -> None:
    odds = {"law.pay_table.1.pays.four.odds": "70 to 1", "law.pay_table.1.pays.triple.odds": "9 to 1"}
    wanted = TEXT.replace('wager = "four", odds = "7 to 1"', 'wager = "four", odds = "70 to 1"')
    assert rewrite_values(TEXT, odds) == wanted.replace('odds = "180 to 1"', 'odds = "9 to 1"')
    assert rewrite_values(TEXT, dict(reversed(odds.items()))) == rewrite_values(TEXT, odds)


def test_a_value_that_is_not_there_is_added_to_its_table() -> None:
    for key, value, line in (
        ("law.pay_table.1.pays.triple.odds", "150 to 1", '+ triple = { wager = "triple", odds = "150 to 1" }'),
        (
            "law.pay_table.1.pays.triple.clause",
            "7.1",
            '+ triple = { wager = "triple", odds = "180 to 1", clause = "7.1" }',
        ),
        ("law.wager.small.is_optional", True, "+ is_optional = true"),
        ("law.settlement.under_minimum.settled", 'a "b" \\ €', r'"a \"b\" \\ €"'),
    ):
        after = rewrite_values(TEXT, {key: value})
        assert any(line in each for each in changed(TEXT, after))
        assert len(changed(TEXT, after)) <= 2
        found: Any = tomllib.loads(after)
        for name in key.split("."):
            found = found[name]
        assert found == value


def test_a_form_changes_what_was_changed_and_nothing_else(rulers: RuleMakers) -> None:
    cora = browser_of(rulers.cora)
    begin(cora)
    opened = cora.get(f"{VALUES}?part=odds-1").context
    fields = {name: field.initial for name, field in opened["form"].fields.items() if field.initial}
    sent = fields | {"number": opened["number"], "law.pay_table.1.pays.triple.odds": "150 to 1"}
    wrong = cora.post(f"{VALUES}?part=odds-1", sent | {"law.pay_table.1.pays.triple.odds": "150 for 1"})
    assert "Write odds such as 8.5 to 1" in wrong.content.decode()
    lost = cora.post(f"{VALUES}?part=odds-1", sent | {"law.pay_table.1.pays.triple.clause": "99"})
    assert "Clause 99 is not among the clauses" in lost.content.decode()
    assert kept() == TEXT
    assert cora.post(f"{VALUES}?part=odds-1", sent).headers["Location"] == EDIT
    assert kept() == TEXT.replace('odds = "180 to 1"', 'odds = "150 to 1"')


def test_a_form_opened_before_the_text_changed_writes_nothing_over(rulers: RuleMakers) -> None:
    cora = browser_of(rulers.cora)
    begin(cora)
    number = cora.get(VALUES).context["number"]
    keep(cora, TEXT + "# later\n", window_of(cora))
    refused = cora.post(VALUES, {"number": number, "law.pay_table.1.pays.triple.odds": "150 to 1"})
    assert "kept a different text since" in refused.content.decode()
    assert kept() == TEXT + "# later\n"


def test_a_text_that_cannot_be_read_has_no_values_and_says_where(rulers: RuleMakers) -> None:
    cora = browser_of(rulers.cora)
    begin(cora)
    keep(cora, TEXT.replace("longest = 12", "longest 12"), window_of(cora))
    assert "equals sign" in cora.get(VALUES).content.decode()
    assert "nothing of that kind" in _values_of_nothing(rulers)


def _values_of_nothing(rulers: RuleMakers) -> str:
    olga = browser_of(rulers.olga)
    begin(olga)
    keep(olga, "# nothing\n", window_of(olga))
    return olga.get(VALUES).content.decode()


def test_a_text_that_a_field_of_one_line_would_cut_has_several() -> None:
    values = [EditableValue(f"{letters}", "Means", "text", "x" * letters) for letters in (30, 31)]
    form = ValuesForm(values=values, clauses=frozenset())
    assert [type(field.widget) for field in form.fields.values()] == [TextInput, Textarea]
