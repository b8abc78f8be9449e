"""What somebody sent when their session had ended, or when nothing could be recorded: kept on the server, in their
session, for them alone.

It comes back on the page of its form, and goes when that is sent, somebody else opens it, or the session ends.
"""

from django.contrib import messages
from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest, QueryDict

SESSION_KEY = "unsent"
EXCLUDED_FIELDS = ("csrfmiddlewaretoken", "password", "code")


def save_unsent_form(request: HttpRequest, person: AbstractBaseUser, until: str = "you have signed in") -> None:
    """Words and choices. Whatever proves who one is must be given again, and files chosen again."""
    typed = request.POST.copy()
    for name in EXCLUDED_FIELDS:
        typed.pop(name, None)
    if typed:
        request.session[SESSION_KEY] = [person.pk, request.get_full_path(), typed.urlencode()]
        messages.info(request, f"What you typed is kept: it will be there when {until}.")


def restore_unsent_form(request: HttpRequest) -> QueryDict | None:
    """What this person sent too late to this very address."""
    person, address, typed = request.session.get(SESSION_KEY, (None, "", ""))
    if person is None or address != request.get_full_path():
        return None
    if person != request.user.pk:
        del request.session[SESSION_KEY]
        return None
    messages.info(request, "What you typed before is here again. Nothing was recorded yet.")
    return QueryDict(typed)


def discard_unsent_form(request: HttpRequest) -> None:
    """It was sent again."""
    _, address, _ = request.session.get(SESSION_KEY, (None, "", ""))
    if address == request.get_full_path():
        del request.session[SESSION_KEY]
