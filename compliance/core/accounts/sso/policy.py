"""Providers that are mandatory for their people: a password alone opens nothing then."""

from django.http import HttpRequest

from compliance.core.accounts.models import User
from compliance.core.accounts.sso.providers import Provider, all_providers
from compliance.core.accounts.sso.session_state import SIGNED_IN_BY_KEY


def missing_required_provider(request: HttpRequest, user: User) -> Provider | None:
    """The provider by which this person must still sign in. Reads no roles if no provider is mandatory."""
    demanding = [provider for provider in all_providers() if provider.is_required]
    owed = [provider for provider in demanding if provider.covers_person(user)]
    came_by = request.session.get(SIGNED_IN_BY_KEY)
    return None if any(provider.slug == came_by for provider in owed) else next(iter(owed), None)
