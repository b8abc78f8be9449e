"""Permissions of trials and read access. `access_trial` checks the user's roles."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from compliance.analysis.what_if.models import Trial, TrialDifference
from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import GOVERNMENT_ROLES, Role
from compliance.core.web.errors import NotFound

MAY_TRY = frozenset({Role.AUTHORITY_OFFICER})
MAY_READ = GOVERNMENT_ROLES


def access_trial(user: User, casino: Casino, trial_id: int) -> Trial:
    """A trial of a casino whose trials the user may read. Missing and forbidden give the same error."""
    found = list_trials(casino).filter(pk=trial_id).first() if user.has_role(*MAY_READ, casino=casino) else None
    if found is None:
        raise NotFound
    return found


def list_trials(casino: Casino) -> QuerySet[Trial]:
    return Trial.objects.filter(casino=casino).select_related("casino", "version")


def search_trials(casino: Casino, chosen: Mapping[str, str]) -> QuerySet[Trial]:
    found = list_trials(casino)
    if words := chosen.get("words"):
        matches = Q(title__icontains=words) | Q(rules__icontains=words) | Q(asked_by_name__icontains=words)
        is_number = words.isascii() and words.isdigit() and len(words) < 10
        found = found.filter(matches | Q(pk=int(words)) if is_number else matches)
    return found.filter(state=chosen["state"]) if chosen.get("state") else found


@dataclass(frozen=True)
class ChangeCounts:
    """The differences of a trial: findings that would be made, that would not be made, and that would differ."""

    all: int
    rounds: int
    new: int
    gone: int
    changed: int

    @property
    def text(self) -> str:
        """The number of differences alone does not say what they are."""
        return (
            f"{self.all:,} finding{'' if self.all == 1 else 's'} of {self.rounds:,} "
            f"round{'' if self.rounds == 1 else 's'}: {self.new:,} would be new, {self.gone:,} would not be made "
            f"any more, {self.changed:,} would say something else"
        )


def count_changes(trial: Trial) -> ChangeCounts:
    """One query."""
    counts = trial.found.aggregate(
        all=Count("pk"),
        rounds=Count("subject_index", distinct=True),
        new=Count("pk", filter=Q(code_now="")),
        gone=Count("pk", filter=Q(code_then="")),
    )
    return ChangeCounts(**counts, changed=counts["all"] - counts["new"] - counts["gone"])


def list_differences(trial: Trial, chosen: Mapping[str, str]) -> QuerySet[TrialDifference]:
    found = trial.found.all()
    for field in ("table", "bet", "gaming_day"):
        if chosen.get(field):
            found = found.filter(**{field: chosen[field]})
    if words := chosen.get("words"):
        # Exact match: nobody searches for part of a pseudonym or id.
        found = found.filter(Q(holder=words) | Q(round=words) | Q(wager=words))
    return found
