"""Import limits: the simulator does not import the audit; its injectors do not ask the engine what is due."""

import ast
from pathlib import Path

import rounds.simulator

FOLDER = Path(rounds.simulator.__file__).parent


def imported_by(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return names


def test_the_simulator_does_not_know_the_audit() -> None:
    files = list(FOLDER.rglob("*.py"))
    assert len(files) > 25
    assert [path.name for path in files if any(name.startswith("compliance.audit") for name in imported_by(path))] == []


def test_an_injector_cannot_ask_the_engine_what_is_due() -> None:
    forbidden = {
        "rounds.engine.settle_wager",
        "rounds.engine.settle",
        "rounds.engine.odds",
        "rounds.simulator.play.dealer",
    }
    files = [path for folder in ("faults", "people_faults") for path in (FOLDER / folder).glob("*.py")]
    assert len(files) > 15
    assert [path.name for path in files if imported_by(path) & forbidden] == []
