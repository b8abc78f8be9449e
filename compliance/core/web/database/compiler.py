"""Django's SQL compilers. While planning, rows are read without locks; inserts, updates and deletes are not sent.

An order by named columns is compiled without comparing every selected column with it.
"""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.backends.postgresql import compiler
from django.db.models.sql.compiler import SQLAggregateCompiler
from django.db.models.sql.constants import MULTI
from django.db.models.sql.query import Query

from compliance.core.web.database.plan import current_plan

__all__ = ["SQLAggregateCompiler", "SQLCompiler", "SQLDeleteCompiler", "SQLInsertCompiler", "SQLUpdateCompiler"]


class SQLCompiler(compiler.SQLCompiler):
    def as_sql(self, *args: Any, **kwargs: Any) -> Any:
        if self.query.select_for_update and current_plan() is not None:
            self.query = self.query.clone()
            self.query.select_for_update = False
        return super().as_sql(*args, **kwargs)

    def _order_by_pairs(self) -> Any:
        """Django hashes all selected expressions, to order by a position where one of them is ordered by. That takes a
        fifth of compiling a query with joined tables, and a name is looked up among the aliases only."""
        selected = self.select
        if selected and not self.query.combinator and _is_ordered_by_names(self.query):
            self.select = [each if each[2] else (None, None, None) for each in selected]
        try:
            pairs: Any = super()._order_by_pairs()
            return list(pairs)
        finally:
            self.select = selected


def _is_ordered_by_names(query: Query) -> bool:
    meta = query.get_meta()
    usual = meta.ordering if query.default_ordering and meta is not None else ()
    return not query.extra_order_by and all(isinstance(each, str) for each in query.order_by or tuple(usual or ()))


class SQLInsertCompiler(compiler.SQLInsertCompiler):
    def execute_sql(self, returning_fields: Any = None) -> Any:  # type: ignore[override]
        plan = current_plan()
        if plan is None:
            return super().execute_sql(returning_fields)
        plan.rows += self.query.objs
        return [
            tuple(plan.next_key() if isinstance(each, models.AutoField) else None for each in returning_fields or ())
            for _ in self.query.objs
        ]


class SQLUpdateCompiler(compiler.SQLUpdateCompiler):
    def execute_sql(self, result_type: Any) -> Any:  # type: ignore[override]
        return super().execute_sql(result_type) if current_plan() is None else _count_rows(self)


class SQLDeleteCompiler(compiler.SQLDeleteCompiler):
    def execute_sql(self, result_type: Any = MULTI, **kwargs: Any) -> Any:  # type: ignore[override]
        return super().execute_sql(result_type, **kwargs) if current_plan() is None else _count_rows(self)


def _count_rows(statement: compiler.SQLCompiler) -> int:
    """How many rows an UPDATE or DELETE would change. A planned row is not stored; its key is negative."""
    keys = (getattr(condition, "rhs", None) for condition in statement.query.where.children)
    if any(isinstance(key, int) and key < 0 for key in keys):
        return 1
    return statement.query.chain(klass=Query).get_count(using=statement.connection.alias)
