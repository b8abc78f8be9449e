"""Permissions of trials and read access. `access_trial` checks the user's roles."""

from collections.abc import Mapping

from django.db.models import Q, QuerySet

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


def list_differences(trial: Trial, chosen: Mapping[str, str]) -> QuerySet[TrialDifference]:
    found = trial.found.all()
    for field in ("table", "bet", "gaming_day"):
        if chosen.get(field):
            found = found.filter(**{field: chosen[field]})
    if words := chosen.get("words"):
        # Exact match: nobody searches for part of a pseudonym or id.
        found = found.filter(Q(holder=words) | Q(round=words) | Q(wager=words))
    return found
