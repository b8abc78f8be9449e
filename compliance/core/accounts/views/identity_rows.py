"""Summary rows on single sign-on for the pages of an account. No rows and no queries without providers."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import urlencode

from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.sso.models import IdentityLink
from compliance.core.accounts.sso.providers import Provider, all_providers
from compliance.core.web.templatetags.ui import local
from compliance.core.web.ui.components import SummaryRow, Tag
from compliance.core.web.ui.links import casino_url


def own_identity_rows(user: User, place: Any, now: datetime) -> Iterator[SummaryRow]:
    """For the person: linking goes to the provider and comes back to the account page."""
    for provider, link in _providers_with_links(user):
        key, words = _row_label(provider), _link_state(link, place, now)
        if link is not None and link.linked_at:
            yield SummaryRow(key, words, reverse("accounts:remove-own-identity", args=[link.pk]), "Remove")
        else:
            begin = reverse("accounts:begin-journey", args=[provider.slug])
            yield SummaryRow(key, words, f"{begin}?{urlencode({'next': reverse('accounts:account')})}", "Link")


def administrator_identity_rows(person: User, casino: Casino, now: datetime) -> Iterator[SummaryRow]:
    """For an administrator."""
    for provider, link in _providers_with_links(person):
        key, words = _row_label(provider), _link_state(link, casino, now)
        if link is not None and (link.linked_at or not link.has_expired(now)):
            remove = casino_url("accounts:remove-identity", casino, person=person.pk, link=link.pk)
            yield SummaryRow(key, words, remove, "Remove")
        else:
            offer = casino_url("accounts:offer-identity", casino, person=person.pk, provider=provider.slug)
            yield SummaryRow(key, words, offer, "Offer")


def _providers_with_links(person: User) -> Iterator[tuple[Provider, IdentityLink | None]]:
    """Each provider that covers the person or still has a link, with that link."""
    providers = all_providers()
    links = {link.issuer: link for link in person.identity_links.open()} if providers else {}
    for provider in providers:
        if provider.issuer in links or provider.covers_person(person):
            yield provider, links.get(provider.issuer)


def _row_label(provider: Provider) -> str:
    return f"Sign-in by {provider}"


def _link_state(link: IdentityLink | None, place: Any, now: datetime) -> Any:
    if link is not None and link.linked_at:
        return format_html("Linked since {}", local(link.linked_at, place))
    if link is not None and not link.has_expired(now):
        return format_html("Offered, until {}", local(link.offer_expires_at, place))
    return Tag("Not linked", "neutral")
