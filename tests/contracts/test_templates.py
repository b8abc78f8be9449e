"""Templates: a variable set in one block is undefined in the next, where Django renders nothing without an error."""

import re

from django.template.loader import get_template

from compliance.config.environment import PROJECT

BLOCK = re.compile(r"{% block (\w+) %}(.*?){% endblock", re.DOTALL)
NAMED = re.compile(r" as (\w+) %}")
USED = re.compile(r"(?:=|{{ ?|{% (?:el)?if )(\w+)")


def lost_names(source: str) -> list[str]:
    blocks = [text for _, text in BLOCK.findall(source)]
    named = [set(NAMED.findall(text)) for text in blocks]
    return [
        name
        for text, here in zip(blocks, named, strict=True)
        for name in sorted(set(USED.findall(text)) & set().union(*named) - here)
    ]


def test_a_lost_name_is_found() -> None:
    crumbs = "{% block breadcrumbs %}{% url 'x' as all %}{% endblock %}"
    assert lost_names(crumbs + '{% block content %}{% render_form form "Begin" cancel=all %}{% endblock %}') == ["all"]
    assert lost_names(crumbs + '{% block content %}<a href="{{ all }}">Cancel</a>{% endblock %}') == ["all"]
    assert lost_names(crumbs + "{% block content %}{% url 'x' as all %}{{ all }}{% endblock %}") == []


def test_no_block_uses_a_name_that_only_another_sets() -> None:
    folder = PROJECT / "templates"
    lost = {str(path.relative_to(folder)): lost_names(path.read_text()) for path in folder.rglob("*.html")}
    assert {path: names for path, names in lost.items() if names} == {}


def test_every_template_compiles() -> None:
    """A tag or filter that does not exist fails here, not on the page that happens to use it."""
    folder = PROJECT / "templates"
    names = [str(path.relative_to(folder)) for path in folder.rglob("*") if path.suffix in {".html", ".txt"}]
    assert len(names) > 250
    for name in names:
        get_template(name)
