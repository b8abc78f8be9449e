"""Saves views as people do: by the link that a page offers."""

import re
from html import unescape

from django.test import Client

from compliance.core.accounts.models import User
from compliance.notify.saved_views.models import SavedView
from tests.compliance.core.accounts.people import browser_of

QUEUE = "/casinos/harbour/reviews/"
OFFERED = re.compile(r'<a href="([^"]+)">Keep this view</a>')


def offered(browser: Client, address: str) -> str:
    """The save link of the page; empty if there is none."""
    found = OFFERED.search(browser.get(address).content.decode())
    return unescape(found[1]) if found else ""


def keep(person: User, address: str = f"{QUEUE}?severity=serious", **typed: str) -> SavedView:
    browser = browser_of(person)
    answer = browser.post(offered(browser, address), {"name": "Serious"} | typed)
    assert answer.status_code == 302, answer.content.decode()
    return SavedView.objects.get(pk=int(answer["Location"].rstrip("/").rpartition("/")[2]))
