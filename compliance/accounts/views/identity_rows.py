"""What the page of an account says of single sign-on. Where no provider is set up it says nothing, and asks nothing."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import urlencode

from compliance.accounts.identity_links import IdentityLink
from compliance.accounts.models import Casino, User
from compliance.accounts.single_sign_on.providers import Provider, all_providers
from compliance.web.components import SummaryRow, Tag
from compliance.web.templatetags.kit import local


def own_identity_rows(user: User, place: Any, now: datetime) -> Iterator[SummaryRow]:
    """For the person: linking leads to the provider and back here."""
    for provider, link in _links_of(user):
        key, words = _key(provider), _words(link, place, now)
        if link is not None and link.linked_at:
            yield SummaryRow(key, words, reverse("accounts:remove-own-identity", args=[link.pk]), "Remove")
        else:
            begin = reverse("accounts:begin-journey", args=[provider.slug])
            yield SummaryRow(key, words, f"{begin}?{urlencode({'next': reverse('accounts:account')})}", "Link")


def identity_rows_here(person: User, casino: Casino, now: datetime) -> Iterator[SummaryRow]:
    """For an administrator."""
    for provider, link in _links_of(person):
        key, words = _key(provider), _words(link, casino, now)
        here: dict[str, Any] = {"casino": casino.slug, "person": person.pk}
        if link is not None and (link.linked_at or not link.has_run_out(now)):
            remove = reverse("accounts:remove-identity", kwargs={**here, "link": link.pk})
            yield SummaryRow(key, words, remove, "Remove")
        else:
            offer = reverse("accounts:offer-identity", kwargs={**here, "provider": provider.slug})
            yield SummaryRow(key, words, offer, "Offer")


def _links_of(person: User) -> Iterator[tuple[Provider, IdentityLink | None]]:
    """Each provider that answers for the person or is linked still, with the link."""
    providers = all_providers()
    links = {link.issuer: link for link in person.identity_links.open()} if providers else {}
    for provider in providers:
        if provider.issuer in links or provider.answers_for(person):
            yield provider, links.get(provider.issuer)


def _key(provider: Provider) -> str:
    return f"Sign-in by {provider}"


def _words(link: IdentityLink | None, place: Any, now: datetime) -> Any:
    if link is not None and link.linked_at:
        return format_html("Linked since {}", local(link.linked_at, place))
    if link is not None and not link.has_run_out(now):
        return format_html("Offered, until {}", local(link.runs_out_at, place))
    return Tag("Not linked", "neutral")
