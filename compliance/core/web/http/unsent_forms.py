"""Keeps the form data of a POST that came after the session had ended, or while nothing could be recorded. Stored in
the person's session and shown to them again on the same page. Removed when the form is sent, another person opens the
page, or the session ends."""

from django.contrib import messages
from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest, QueryDict

SESSION_KEY = "unsent"
EXCLUDED_FIELDS = ("csrfmiddlewaretoken", "password", "code")


def save_unsent_form(request: HttpRequest, person: AbstractBaseUser, until: str = "you have signed in") -> None:
    """Saves text and choices. Passwords and codes are left out, and files must be chosen again."""
    typed = request.POST.copy()
    for name in EXCLUDED_FIELDS:
        typed.pop(name, None)
    if typed:
        request.session[SESSION_KEY] = [person.pk, request.get_full_path(), typed.urlencode()]
        messages.info(request, f"What you typed is kept: it will be there when {until}.")


def restore_unsent_form(request: HttpRequest) -> QueryDict | None:
    """The form data that this person submitted too late to this same path, if any."""
    person, address, typed = request.session.get(SESSION_KEY, (None, "", ""))
    if person is None or address != request.get_full_path():
        return None
    if person != request.user.pk:
        del request.session[SESSION_KEY]
        return None
    messages.info(request, "What you typed before is here again. Nothing was recorded yet.")
    return QueryDict(typed)


def discard_unsent_form(request: HttpRequest) -> None:
    """Removes the saved form once it has been sent again."""
    _, address, _ = request.session.get(SESSION_KEY, (None, "", ""))
    if address == request.get_full_path():
        del request.session[SESSION_KEY]
