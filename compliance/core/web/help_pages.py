"""Help pages from templates/docs/, open to everybody, with a registry to which apps add their pages."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from html import unescape
from typing import Any

from django.conf import settings
from django.contrib.auth.password_validation import get_default_password_validators
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.html import strip_tags
from django.views.decorators.http import require_safe

from compliance.core.web.access import public
from compliance.core.web.errors import all_refusal_classes

EXCERPT_CHARACTERS = 160


def no_template_values() -> Mapping[str, Any]:
    return {}


@dataclass(frozen=True)
class HelpPage:
    """One help page.
    `facts` returns the values that its template prints from the code, so the page cannot become outdated."""

    slug: str
    title: str
    summary: str
    audience: str
    order: int
    facts: Callable[[], Mapping[str, Any]] = no_template_values

    @property
    def template(self) -> str:
        return f"docs/{self.slug}.html"


@dataclass(frozen=True)
class SearchHit:
    page: HelpPage
    excerpt: str


_pages: dict[str, HelpPage] = {}


def register_pages(*pages: HelpPage) -> None:
    _pages.update({page.slug: page for page in pages})


def all_pages() -> list[HelpPage]:
    return sorted(_pages.values(), key=lambda page: (page.order, page.title))


def register_own_pages() -> None:
    everybody, administrators, operators = "Everybody", "Administrators", "Those who run the service"
    register_pages(
        HelpPage("start", "Start here", "Getting in, and the first steps of each role.", everybody, 10),
        HelpPage(
            "signing-in",
            "Signing in",
            "Passwords, second factor, recovery codes, time-out.",
            everybody,
            20,
            facts=sign_in_settings,
        ),
        HelpPage("people", "People and roles", "Inviting, disabling, giving and ending roles.", administrators, 30),
        HelpPage("accessibility", "Accessibility", "How to use it your way, and what is checked.", everybody, 80),
        HelpPage(
            "errors",
            "When something is refused",
            "Every error code, what it means, what to do.",
            everybody,
            85,
            facts=lambda: {"refusals": all_refusal_classes()},
        ),
        HelpPage("production", "Running in production", "Database roles, TLS, start, backup.", operators, 90),
    )


def sign_in_settings() -> Mapping[str, Any]:
    """Template values of the page on signing in, read from the settings."""
    lengths = [getattr(rule, "min_length", 0) for rule in get_default_password_validators()]
    return {
        "password_characters": max(lengths, default=0),
        "reset_minutes": settings.PASSWORD_RESET_TIMEOUT // 60,
        "failures_allowed": settings.AXES_FAILURE_LIMIT,
        "locked_minutes": int(settings.AXES_COOLOFF_TIME.total_seconds()) // 60,
        "idle_minutes": settings.SESSION_IDLE_SECONDS // 60,
        "session_hours": settings.SESSION_COOKIE_AGE // 3600,
    }


def search_pages(words: str) -> list[SearchHit]:
    """Pages that contain every word; pages with a word in the title come first."""
    terms = words.casefold().split()
    if not terms:
        return []
    hits = [page for page in all_pages() if all(word in page_text(page).casefold() for word in terms)]
    hits.sort(key=lambda page: not any(word in page.title.casefold() for word in terms))
    return [SearchHit(page, _excerpt_around(page_text(page), terms[0])) for page in hits]


@cache
def page_text(page: HelpPage) -> str:
    """Text of a page without markup, for the search. Cached: pages do not change while the service runs."""
    html = render_to_string(page.template, {"is_text_only": True, **page.facts()})
    words = re.sub(r"\s+", " ", unescape(strip_tags(html))).strip()
    return f"{page.title}. {page.summary} {words}"


def _excerpt_around(text: str, word: str) -> str:
    at = max(0, text.casefold().find(word) - EXCERPT_CHARACTERS // 2)
    start = text.rfind(" ", 0, at) + 1 if at else 0
    piece = text[start : start + EXCERPT_CHARACTERS].rsplit(" ", 1)[0]
    return f"{'… ' if start else ''}{piece} …"


@public
@require_safe
def help_index(request: HttpRequest) -> HttpResponse:
    words = request.GET.get("q", "").strip()[:100]
    return render(request, "web/help.html", {"pages": all_pages(), "words": words, "found": search_pages(words)})


@public
@require_safe
def show_help_page(request: HttpRequest, slug: str) -> HttpResponse:
    if slug not in _pages:
        raise Http404
    page = _pages[slug]
    return render(request, page.template, {"help_page": page, "pages": all_pages(), **page.facts()})
