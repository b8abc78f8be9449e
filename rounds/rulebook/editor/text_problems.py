"""Problems of a pack text, each with its line and a message in plain language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from rounds.engine import pack
from rounds.rulebook.editor.toml_positions import TomlPositions

_CODE = re.compile(r" [a-z]+:[a-z0-9-]+\b")
_POSITION = re.compile(r" \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$")

# Prefixes of tomllib's error messages, and the message shown instead.
TOML_ERROR_TEXTS = {
    "Expected '=' after a key": "After the name there must be an equals sign (=).",
    "Invalid value": "After the equals sign there must be a value: text in quotes, a number, true, false or a list.",
    "Invalid statement": "This line is neither a heading in brackets nor a name with its value.",
    "Unclosed array": "A list that begins here or above has no closing bracket ].",
    "Unclosed inline table": "A table that begins here has no closing brace }.",
    "Unterminated string": "A text that begins here or above has no closing quote.",
    "Illegal character '\\n'": "The text on this line has no closing quote.",
    "Illegal character": "A character that may not stand here, and perhaps cannot be seen. Take it out.",
    "Expected newline or end of document": "Something is left over after the value. Each name has its own line.",
    "Cannot overwrite a value": "This name stands here already, further up.",
    "Cannot declare": "This heading, or a name in it, stands further up already.",
    "Duplicate inline table key": "This name stands twice between the same braces.",
    "Invalid initial character for a key part": "A name must begin here; in quotes, unless it is plain letters.",
    "Unescaped '\\'": "A backslash in a text must be written twice.",
    "Expected ']' at the end": "This heading has no closing bracket ].",
    "maximum recursion depth": "Brackets stand within brackets, more deeply than can be read.",
}

LOCATION_LABELS = (
    (r"law\.wager\.([^.]+)", "Wager {}"),
    (r"law\.pay_table\.([^.]+)\.pays\.([^.]+)", "Pay table {}, row {}"),
    (r"law\.pay_table\.([^.]+)", "Pay table {}"),
    (r"law\.streak", "Super Streak"),
    (r"law\.void\.([^.]+)", "Void round, {}"),
    (r"law\.settlement", "Settlement"),
    (r"readings\.([^.]+)\.choices\.([^.]+)", "Reading {}, choice {}"),
    (r"readings\.([^.]+)", "Reading {}"),
    (r"clauses\.(.+?)(?=\.(?:bind|classes|gist|not_automated_because)|$)", "Clause {}"),
    (r"roles\.([^.]+)", "Role {}"),
    (r"duties\.([^.]+)", "Duty {}"),
    (r"conduct\.([^.]+)", "Conduct, {}"),
    (r"evidence", "Evidence"),
)


@dataclass(frozen=True, slots=True)
class TextProblem:
    """One problem. `line` 0: unknown. `key` is empty for TOML syntax errors."""

    line: int
    column: int
    key: str
    words: str

    @property
    def location(self) -> str:
        """The key as a label: `law.wager.small.clause` is "Wager small, clause"."""
        name, _, within = self.key.partition(" → ")
        for pattern, label in LOCATION_LABELS:
            if match := re.match(pattern, name):
                rest = name[match.end() :].strip(".")
                parts = [label.format(*match.groups()), *(rest.split(".") if rest else ())]
                break
        else:
            parts = name.split(".") if name else []
        where = ", ".join(part.replace("_", " ") for part in parts)
        return f"{where} (in {within})" if within else where


def locate_problems(problems: Iterable[pack.Problem], positions: TomlPositions) -> list[TextProblem]:
    """The problems with their positions, sorted by line."""
    found = list(problems)
    plain = {(problem.key, problem.found) for problem in found}
    # A problem of the law as written recurs under every reading; only the first is reported.
    own = [each for each in found if (each.key.partition(" → ")[2], each.found) not in plain]
    faults = [_locate_problem(problem, positions) for problem in _merge_similar_problems(own)]
    return sorted(faults, key=lambda fault: (fault.line, fault.column))


def _merge_similar_problems(problems: Iterable[pack.Problem]) -> Iterator[pack.Problem]:
    """Merges problems that differ only in the bet code into the first of them, with the number of the others."""
    similar: dict[tuple[str, str, str], list[pack.Problem]] = {}
    for problem in problems:
        similar.setdefault((problem.key, _strip_bet_code(problem.found), problem.expected), []).append(problem)
    for first, *more in similar.values():
        yield replace(first, found=f"{first.found} and {len(more)} more") if more else first


def _strip_bet_code(found: str) -> str:
    return _CODE.sub(" ", found)


def _locate_problem(problem: pack.Problem, positions: TomlPositions) -> TextProblem:
    if problem.key == "the file":
        return _syntax_problem(problem.found, positions.text)
    line = positions.line_of(problem.key) or 1
    return TextProblem(line, 0, problem.key, f"Found {problem.found}, expected {problem.expected}.")


def _syntax_problem(found: str, text: str) -> TextProblem:
    lines = text.split("\n")
    if found.startswith("a line with more than"):
        line = next((at for at, each in enumerate(lines, start=1) if each.count(".") > pack.MAX_DOTS_PER_LINE), 1)
        return TextProblem(line, 0, "", f"This line has more than {pack.MAX_DOTS_PER_LINE} full stops. Divide it.")
    at = _POSITION.search(found)
    message = found[: at.start()] if at else found
    plain = next((text for prefix, text in TOML_ERROR_TEXTS.items() if message.startswith(prefix)), "")
    if at and at["line"]:
        return TextProblem(int(at["line"]), int(at["column"]), "", plain or f"{message}.")
    last = max((number for number, each in enumerate(lines, start=1) if each.strip()), default=1)
    return TextProblem(last, 0, "", plain or f"{message}.")
