"""Who may have rules tried and who reads what came of it. A trial is reached through access_trial."""

from collections.abc import Mapping

from django.db.models import Count, Q, QuerySet

from compliance.analysis.what_if.models import Trial, TrialDifference
from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import GOVERNMENT_ROLES, Role
from compliance.core.web.errors import NotFound

MAY_TRY = frozenset({Role.AUTHORITY_OFFICER})
MAY_READ = GOVERNMENT_ROLES


def access_trial(user: User, casino: Casino, trial_id: int) -> Trial:
    """A trial of a casino where the user may read them; absent and forbidden look the same."""
    found = list_trials(casino).filter(pk=trial_id).first() if user.has_role(*MAY_READ, casino=casino) else None
    if found is None:
        raise NotFound
    return found


def list_trials(casino: Casino) -> QuerySet[Trial]:
    return Trial.objects.filter(casino=casino).select_related("casino", "version")


def search_trials(casino: Casino, chosen: Mapping[str, str]) -> QuerySet[Trial]:
    found = list_trials(casino)
    if words := chosen.get("words"):
        said = Q(title__icontains=words) | Q(rules__icontains=words) | Q(asked_by_name__icontains=words)
        is_number = words.isascii() and words.isdigit() and len(words) < 10
        found = found.filter(said | Q(pk=int(words)) if is_number else said)
    return found.filter(state=chosen["state"]) if chosen.get("state") else found


def progress_of(trial: Trial) -> tuple[int, int]:
    """Stretches done, and how many there are."""
    counted = trial.stretches.aggregate(done=Count("pk", filter=Q(done_at__isnull=False)), every=Count("pk"))
    return counted["done"], counted["every"]


def list_differences(trial: Trial, chosen: Mapping[str, str]) -> QuerySet[TrialDifference]:
    found = trial.found.all()
    for field in ("table", "bet", "gaming_day"):
        if chosen.get(field):
            found = found.filter(**{field: chosen[field]})
    if words := chosen.get("words"):
        # A day's pseudonym and the like are looked for whole: nobody remembers a part of one.
        found = found.filter(Q(holder=words) | Q(round=words) | Q(wager=words))
    return found
