"""Django's migrate, run as the owner role; then grants the app role exactly its privileges, and suspends people who
hold government and casino roles from before that was refused."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management import call_command
from django.core.management.commands import migrate
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.migrations.migration import Migration
from django.db.migrations.state import ModelState, ProjectState

from compliance.config.database_roles import as_owner, grant_app_role


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        alias = options["database"]
        app_role = connections[alias].settings_dict["USER"]
        is_forward = options["migration_name"] is None
        with as_owner(alias), _render_only_changed_models() if is_forward else _render_only_states_before_steps():
            super().handle(*args, **options)
            grant_app_role(app_role, alias)
        if is_forward and options["app_label"] is None and alias == DEFAULT_DB_ALIAS:
            call_command("mixed_roles", suspend=True, stdout=self.stdout, verbosity=0)


@contextmanager
def _render_only_changed_models() -> Iterator[None]:
    """Speeds up the first migration of a new database. For each added model, index or constraint Django renders all
    related models again; here nearly all are related through users and casinos. A model that only points at others, and
    an index or constraint, need no such rendering."""
    ours = {"add_model": _add_model, "_append_option": _append_option}
    usual = {name: getattr(ProjectState, name) for name in ours}
    for name, function in ours.items():
        setattr(ProjectState, name, function)
    try:
        yield
    finally:
        for name, function in usual.items():
            setattr(ProjectState, name, function)


_django_add_model: Callable[[ProjectState, ModelState], None] = ProjectState.add_model


def _add_model(state: ProjectState, model: ModelState) -> None:
    key = model.app_label, model.name_lower
    if key in state.models or "apps" not in state.__dict__:
        _django_add_model(state, model)
        return
    state.models[key] = model
    if state._relations is not None:  # type: ignore[attr-defined]
        state.resolve_model_relations(key)
    state.apps.render_multiple([model])


def _append_option(state: ProjectState, app: str, name: str, option: str, added: Any) -> None:
    """An index or constraint, which affects no field and no other model."""
    model = state.models[app, name]
    model.options[option] = [*model.options[option], added]
    if "apps" in state.__dict__:
        known = state.apps.get_model(app, name)._meta
        setattr(known, option, [*getattr(known, option), added])


@contextmanager
def _render_only_states_before_steps() -> Iterator[None]:
    """Speeds up taking migrations back. Django needs the rendered models as they were before each migration, and on the
    way from one to the next renders all related models again for each operation, of migrations that stay too."""
    Migration.mutate_state = _mutate_state  # type: ignore[assignment, method-assign]
    try:
        yield
    finally:
        Migration.mutate_state = _django_mutate_state  # type: ignore[method-assign]


_django_mutate_state = Migration.mutate_state


def _mutate_state(migration: Migration, state: ProjectState, preserve: bool = True) -> ProjectState:
    """The next state is a copy that is not rendered until a migration needs it."""
    if preserve:
        state = state.clone()
        state.__dict__.pop("apps", None)
    return _django_mutate_state(migration, state, preserve=False)
