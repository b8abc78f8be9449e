"""Totals of a trial, computed by PostgreSQL: overall, and by table, box, player and clause."""

from django.db import connection
from django.db.models import Case, Count, F, Q, Sum, When
from django.db.models.functions import Coalesce

from compliance.analysis.what_if.models import TotalDimension, Trial

# By dimension, SQL for: name, gaming day, reading, and the condition that the name is known.
GROUP_COLUMNS = {
    TotalDimension.TABLE: ('"table"', "NULL::date", "''", "\"table\" > ''"),
    TotalDimension.BET: ("bet", "NULL::date", "''", "bet > ''"),
    TotalDimension.HOLDER: ("holder", "gaming_day", "''", "holder > ''"),
    TotalDimension.CLAUSE: (
        "clause",
        "NULL::date",
        "CASE WHEN reading > '' THEN reading || ': ' || choice ELSE '' END",
        "true",
    ),
}
TOTALS_SQL = """
INSERT INTO trials_sum
    (trial_id, by, name, gaming_day, reading, differences, due_now_cents, due_then_cents, more_cents, less_cents)
SELECT trial_id, %s, {name}, {day}, {reading}, count(*),
    coalesce(sum(due_now_cents) FILTER (WHERE due_then_cents IS NOT NULL), 0),
    coalesce(sum(due_then_cents) FILTER (WHERE due_now_cents IS NOT NULL), 0),
    coalesce(sum(more_cents) FILTER (WHERE more_cents > 0), 0),
    coalesce(-sum(more_cents) FILTER (WHERE more_cents < 0), 0)
FROM trials_difference WHERE trial_id = %s AND {known} GROUP BY 1, 3, 4, 5
"""


def write_totals(trial: Trial) -> None:
    """Sets the trial's totals, which the caller saves, and writes its TrialTotals."""
    evaluated = trial.stretches.aggregate(rounds=Coalesce(Sum("rounds"), 0), wagers=Coalesce(Sum("wagers"), 0))
    more, less = (Sum(Case(When(fits, then=F("more_cents")))) for fits in (Q(more_cents__gt=0), Q(more_cents__lt=0)))
    found = trial.found.aggregate(count=Count("pk"), more=Coalesce(more, 0), less=Coalesce(less, 0))
    trial.rounds, trial.wagers = evaluated["rounds"], evaluated["wagers"]
    trial.differences, trial.more_cents, trial.less_cents = found["count"], found["more"], -found["less"]
    with connection.cursor() as cursor:
        for by, (name, day, reading, known) in GROUP_COLUMNS.items():
            statement = TOTALS_SQL.format(name=name, day=day, reading=reading, known=known)
            cursor.execute(statement, [by.value, trial.pk])
