"""Every entry kind is defined once, completely, in the `entry_kinds` module of the app that owns it."""

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

from django.apps import apps
from django.conf import settings

from compliance.audit.run.consumer import REASONS
from compliance.audit.run.reaudit import AFFECTED_BY
from rounds.ledger.entry_kinds import FORMATS, EntryKind, Reaudit, registered_kinds

SOURCES = ("compliance", "rounds", "promotions")
# Folders whose code may write the name of a kind as a text.
EXEMPT_FOLDERS = {
    "migrations": "a migration names what it found when it was written",
    "offline": "the shipped verifiers need only the standard library",
    "rounds/engine": "pure; its names are those of rule packs",
    "rounds/intake/protocol": "the wire protocol, which controllers and witnesses speak; entry_kinds refers to it",
    "rounds/simulator": "plays controllers, which know the wire protocol only",
    "rounds/witness": "an implementation of its own, without Django",
}
# Texts that equal the name of a kind and mean something else.
EXEMPT_TEXTS = {
    ("compliance/audit/checks/round/procedure.py", "void-set"): "the name of a check",
    ("compliance/audit/checks/equipment/void_reports.py", "foreign-card"): "a void reason of rule packs",
    ("compliance/tables/equipment/forms/custody.py", "foreign-card"): "a void reason of rule packs",
    ("rounds/rulebook/labels.py", "foreign-card"): "a void reason of rule packs",
    ("rounds/intake/api/rule_set_expectations.py", "foreign-card"): "a void reason of rule packs",
    ("compliance/config/help/runbook.py", "promotion-stop"): "the duty of an alert",
    ("compliance/config/help/runbook.py", "webhook-switched-off"): "the duty of an alert",
    ("compliance/notify/webhooks/delivery/worker.py", "webhook-switched-off"): "the duty of an alert",
    ("promotions/shared/integrity_alert.py", "promotion-stop"): "the duty of an alert",
    ("compliance/inspection/checklists/errors.py", "checklist-signed"): "the code of a refusal",
    ("compliance/inspection/checklists/errors.py", "sample-drawn"): "the code of a refusal",
    ("compliance/notify/alerts/errors.py", "alert-acknowledged"): "the code of a refusal",
    ("compliance/privacy/personal_data/errors.py", "personal-destroyed"): "the code of a refusal",
    ("compliance/privacy/personal_data/errors.py", "personal-held"): "the code of a refusal",
    ("compliance/privacy/personal_data/subjects.py", "dispute"): "what personal data is about",
    ("compliance/tables/equipment/urls.py", "void-set"): "the name of a page",
    ("rounds/intake/services/import_rounds.py", "round"): "the kind of a line in a file",
    ("rounds/ledger/readers/search_index.py", "round"): "what a search term names",
}
TAKES_KIND_FIRST = {"make_entry", "new_entry", "NewEntry"}
KIND_ARGUMENTS = {"kind", "kinds", "other_than_kinds", "subject_kind"}


def own_kinds() -> list[EntryKind]:
    return [kind for kind in registered_kinds() if not kind.startswith("test-")]


def test_every_kind_has_an_owner_a_label_a_meaning_and_a_summary() -> None:
    owners = {f"{config.name}.entry_kinds" for config in apps.get_app_configs()}
    for kind in own_kinds():
        assert kind.owner in owners, f"{kind} is defined in {kind.owner}, which is not the entry_kinds of an app"
        assert kind.label[:1].isupper(), f"{kind} has no label"
        assert not kind.label.endswith("."), f"{kind}: a label is no sentence"
        assert kind.meaning.endswith("."), f"{kind} has no sentence that says what it means"
        assert kind.summary, f"{kind} has no summary"


def test_every_template_uses_known_formats() -> None:
    for kind in own_kinds():
        if isinstance(kind.summary, str):
            fields = [(name, spec) for _, name, spec, _ in Formatter().parse(kind.summary) if name is not None]
            assert fields, f"{kind}: its summary says nothing of the entry"
            specs = [(spec or "").split(" ") for _, spec in fields]
            assert {name for name, *_ in specs} <= FORMATS.keys(), f"{kind}: unknown format in its summary"
            assert {len(nouns) for _, *nouns in specs} <= {0, 2}, f"{kind}: a noun has a singular and a plural"


def test_a_summary_uses_the_singular_for_one() -> None:
    for kind, name in (("void-set", "rounds"), ("stakes-returned", "returned")):
        found = next(each for each in own_kinds() if each == kind)
        one, two = (found.summarize({name: ["x"] * count, "how": "", "reason": ""}) for count in (1, 2))
        assert (one.startswith(("1 round,", "1 wager")), two.startswith(("2 rounds,", "2 wagers"))) == (True, True)


def test_every_reason_to_audit_again_has_a_trigger_and_a_kind() -> None:
    assert AFFECTED_BY.keys() == REASONS.keys() == set(Reaudit) == {kind.reaudit for kind in own_kinds()} - {None}


def test_a_kind_is_imported_not_written_as_a_text() -> None:
    found = {(path, text) for path in source_files() for text in kinds_written_in(path)}
    assert found - EXEMPT_TEXTS.keys() == set()
    assert EXEMPT_TEXTS.keys() - found == set(), "an exemption that nothing needs"


def source_files() -> Iterator[str]:
    for path in sorted(path for top in SOURCES for path in Path(settings.BASE_DIR, top).rglob("*.py")):
        name = path.relative_to(settings.BASE_DIR).as_posix()
        if path.name != "entry_kinds.py" and not any(f"/{folder}/" in f"/{name}" for folder in EXEMPT_FOLDERS):
            yield name


def kinds_written_in(name: str) -> Iterator[str]:
    """Names of two words or more wherever they stand. A single word may be a member, a field or a page, so it counts
    only where a kind is expected."""
    kinds = {str(kind) for kind in own_kinds()}
    tree = ast.parse(Path(settings.BASE_DIR, name).read_text())
    yield from (text for text in texts_in(tree) if "-" in text and text in kinds)
    for node in ast.walk(tree):
        for part in parts_that_are_kinds(node):
            yield from (text for text in texts_in(part) if text in kinds)
    for statement in tree.body:
        if isinstance(statement, ast.Assign):
            names = {
                node.id.lower()
                for target in statement.targets
                for node in ast.walk(target)
                if isinstance(node, ast.Name)
            }
            yield from (text for text in texts_in(statement.value) if text in kinds & names)


def parts_that_are_kinds(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Compare):
        sides = (node.left, *node.comparators)
        if any(isinstance(side, ast.Attribute) and side.attr == "kind" for side in sides):
            yield from (side for side in sides if isinstance(side, ast.Constant | ast.Tuple | ast.Set | ast.List))
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Name) and node.func.id in TAKES_KIND_FIRST:
            yield from node.args[:1]
        yield from (keyword.value for keyword in node.keywords if keyword.arg in KIND_ARGUMENTS)


def texts_in(tree: ast.AST) -> Iterator[str]:
    return (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str))
