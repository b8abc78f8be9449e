"""Foreign keys obey the same layers as imports; string relations are invisible to import-linter."""

import tomllib
from functools import cache

import pytest
from django.apps import apps
from django.db import models

from compliance.config.environment import PROJECT


@cache
def layers() -> dict[str, int]:
    """Package → depth, 0 at the top, from the contract that import-linter checks."""
    with (PROJECT / "pyproject.toml").open("rb") as file:
        contracts = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    named = next(contract for contract in contracts if contract["type"] == "layers")["layers"]
    return {name.strip(" ()"): depth for depth, line in enumerate(named) for name in line.split("|")}


def depth_of(model: type[models.Model]) -> int | None:
    """The layer of the model's app; None for Django's and other installed apps, which are below all layers."""
    module = model.__module__
    return next((depth for name, depth in layers().items() if module == name or module.startswith(name + ".")), None)


@pytest.mark.parametrize("model", [m for m in apps.get_models() if depth_of(m) is not None], ids=lambda m: m.__name__)
def test_relations_point_towards_the_facts(model: type[models.Model]) -> None:
    own = depth_of(model)
    assert own is not None
    for field in model._meta.get_fields():
        target = getattr(field, "related_model", None)
        if field.concrete and isinstance(target, type) and issubclass(target, models.Model):
            depth = depth_of(target)
            assert depth is None or depth >= own, f"{model.__name__}.{field.name} points up to {target.__name__}"


def test_every_app_of_ours_has_a_layer() -> None:
    ours = {config.name for config in apps.get_app_configs() if config.name.split(".")[0] in ("compliance", "rounds")}
    assert ours <= set(layers())
