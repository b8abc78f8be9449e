"""Shared mechanisms exist once: the code that identifies each of them occurs in its own module only."""

import ast
import re

import pytest

from compliance.config.environment import PROJECT
from tests.contracts.test_package_layout import ROOTS

# What only the implementation contains, and the files that may contain it.
SIGNATURES = {
    "advisory lock": (r"pg_(try_)?advisory", {"compliance/core/web/jobs/locks.py"}),
    # The witness runs apart from the service, and integrators take the client without it.
    "atomic file write": (
        r"os\.replace\(|\.replace\((path|target|self\.\w+)\)",
        {"compliance/core/web/files/atomic_write.py", "rounds/witness/keys.py", "rounds/simulator/client/spool.py"},
    ),
    # Offline verifiers are single files without imports of the service.
    "money as text": (
        r"(cents|value|amount)\)? //? 100\b|divmod\(abs\(cents",
        {
            "rounds/engine/money.py",
            "compliance/reports/offline/verify_report.py",
            "compliance/transparency/wager_proofs/offline/verify_wager.py",
        },
    ),
    "private file": (
        r"O_EXCL|os\.link\(|NamedTemporaryFile",
        {
            "compliance/core/web/files/atomic_write.py",
            "compliance/core/web/files/key_files.py",
            "rounds/witness/keys.py",
        },
    ),
    "upload check": (r"DecompressionBomb|\\xff\\xd8\\xff|%PDF-\":", {"compliance/core/web/files/uploads.py"}),
    "rate limit": (r"\.incr\(", {"compliance/core/web/http/rate_limit.py"}),
    "label of a rule version": (r"title\}, version \{[\w.]*number", {"rounds/rulebook/models.py"}),
    "name of a rule version": (r"rules\}@\{[\w.]*number", {"rounds/rulebook/models.py"}),
    # The witness recomputes rounds with code of its own.
    "void rounds that were settled": (
        r"covers == \"all-affected-rounds\"",
        {"rounds/engine/settle/refused_wagers.py", "rounds/witness/recompute/round_context.py"},
    ),
    "sentence that stakes are owed": (r"is owed back(\{| because)", {"rounds/intake/round_view.py"}),
    "sentence about who is notified of a fault": (r"Nobody is notified", {"compliance/tables/equipment/duties.py"}),
    "reason form": (r"class Reason(Form|Field)\b|def reason_field", {"compliance/core/web/ui/forms.py"}),
}


@pytest.mark.parametrize("mechanism", SIGNATURES)
def test_it_is_implemented_in_its_own_module_only(mechanism: str) -> None:
    pattern, modules = SIGNATURES[mechanism]
    found = {
        path.relative_to(PROJECT).as_posix()
        for root in ROOTS
        for path in (PROJECT / root).rglob("*.py")
        if "migrations" not in path.parts and re.search(pattern, path.read_text())
    }
    assert found == modules


# Effects of an act on wagers, which depend on the rules in force.
ASSERTED_DUTY = re.compile(
    r"owed back|(stakes?|wagers?) (is|are) (refunded|void\b)|rounds? (is|are) void\b", re.IGNORECASE
)


def test_no_template_or_help_text_of_a_form_says_what_an_act_does_to_wagers() -> None:
    """It would say it whatever the rules are. Such sentences come from the function that the audit uses."""
    texts = {
        path: re.sub(r"{#.*?#}", "", path.read_text())
        for path in (PROJECT / "templates").rglob("*.html")
        if path.relative_to(PROJECT / "templates").parts[0] not in ("docs", "rulebook")
    }
    for root in ROOTS:
        for path in (PROJECT / root).rglob("*.py"):
            # The calculator asks why a round is void.
            if "calculator" not in path.parts and (path.name == "forms.py" or "forms" in path.parts):
                texts[path] = path.read_text()
    assert len(texts) > 250
    found = {path.relative_to(PROJECT).as_posix(): ASSERTED_DUTY.findall(text) for path, text in texts.items()}
    assert {name: words for name, words in found.items() if words} == {}


def names_a_casino(call: ast.Call) -> bool:
    """Whether `reverse` is given a casino: a key "casino", or a slug of something called so."""
    given = [keyword.value for keyword in call.keywords if keyword.arg in ("args", "kwargs")]
    values = [node for value in given for node in ast.walk(value)]
    return any(
        (isinstance(node, ast.Constant) and node.value == "casino")
        or (isinstance(node, ast.Attribute) and node.attr == "slug" and "casino" in ast.unparse(node.value))
        for node in values
    )


def test_urls_of_a_casinos_pages_are_made_by_casino_url() -> None:
    found = {
        path.relative_to(PROJECT).as_posix()
        for root in ROOTS
        for path in (PROJECT / root).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("reverse") and names_a_casino(node)
    }
    assert found == {"compliance/core/web/ui/links.py"}
