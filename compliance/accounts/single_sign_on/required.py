"""Where an inspectorate demands that its people come in by its provider: a password alone opens nothing then."""

from django.http import HttpRequest

from compliance.accounts.models import User
from compliance.accounts.single_sign_on.providers import Provider, all_providers
from compliance.accounts.single_sign_on.waiting import CAME_BY


def provider_owed(request: HttpRequest, user: User) -> Provider | None:
    """By which this person must still come in. Without such a provider nobody's roles are read for it."""
    demanding = [provider for provider in all_providers() if provider.is_required]
    owed = [provider for provider in demanding if provider.answers_for(user)]
    came_by = request.session.get(CAME_BY)
    return None if any(provider.slug == came_by for provider in owed) else next(iter(owed), None)
