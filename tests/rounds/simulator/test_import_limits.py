"""Import limits: the simulator does not import the audit; its injectors do not ask the engine what is due. Neither it
nor the witness uses the service's computation of what a wager is owed, which they check."""

import ast
import re
from pathlib import Path
from types import ModuleType

import pytest

import rounds.engine
import rounds.simulator
import rounds.witness

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


@pytest.mark.parametrize("package", [rounds.simulator, rounds.witness], ids=["simulator", "witness"])
def test_what_a_wager_is_owed_is_computed_independently(package: ModuleType) -> None:
    folder, engine = Path(package.__file__ or "").parent, Path(rounds.engine.__file__).parent
    stubs = (engine / "__init__.pyi").read_text() + (engine / "settle" / "__init__.pyi").read_text()
    modules = "amount_owed|reported_round|rules_in_force|wager_position"
    names = set(re.findall(rf"from \.(?:settle\.)?(?:{modules}) import (\w+)", stubs))
    assert {"compute_amount_owed", "position_at_cut_off", "RulesInForce"} <= names
    forbidden = {f"{place}.{name}" for place in ("rounds.engine", "rounds.engine.settle") for name in names}
    forbidden |= {"rounds.intake.round_records", "rounds.intake.round_view"}
    attribute = re.compile(rf"\bsettle\.(?:{'|'.join(names)})\b")
    files = list(folder.rglob("*.py"))
    assert len(files) > 20
    assert [p.name for p in files if imported_by(p) & forbidden or attribute.search(p.read_text())] == []
