"""Django's migrate, run as the owner role; afterwards the app role is given exactly its privileges."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from django.core.management.commands import migrate
from django.db import connections
from django.db.migrations.state import ModelState, ProjectState

from compliance.config.database import as_owner, grant_app_role


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        alias = options["database"]
        app_role = connections[alias].settings_dict["USER"]
        # Towards an earlier state Django has to know what there was before each step.
        is_forward = options["migration_name"] is None
        with as_owner(alias), _new_models_alone() if is_forward else nullcontext():
            super().handle(*args, **options)
            grant_app_role(app_role, alias)


@contextmanager
def _new_models_alone() -> Iterator[None]:
    """For each model that is added, Django writes all models anew that hang together with it. Here nearly all do, by
    people and casinos, and it is two thirds of the time in which a new database is made. What points to the others and
    is only added to them needs none of that."""
    usual = ProjectState.add_model

    def add_model(state: ProjectState, model: ModelState) -> None:
        key = model.app_label, model.name_lower
        if key in state.models or "apps" not in state.__dict__:
            usual(state, model)
            return
        state.models[key] = model
        if state._relations is not None:  # type: ignore[attr-defined]
            state.resolve_model_relations(key)
        state.apps.render_multiple([model])

    ProjectState.add_model = add_model  # type: ignore[assignment, method-assign]
    try:
        yield
    finally:
        ProjectState.add_model = usual  # type: ignore[method-assign]
