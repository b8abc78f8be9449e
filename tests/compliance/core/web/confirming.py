"""Submits a form about which the page warns, and confirms the warning."""

from collections.abc import Callable
from typing import Any

from django.test import Client

from compliance.core.web.ui.precheck import CONFIRMED_FIELD, REASON_FIELD, Prediction

REASON = "It happened like this."


def shown_prediction(response: Any) -> Prediction:
    """What the page warned of; empty if it did not."""
    form = response.context and response.context.get("form")
    return getattr(form, "prediction", None) or Prediction()


def post_confirmed(
    browser: Client, address: str, typed: dict[str, Any], *codes: str, again: Callable[[], dict[str, Any]] = dict
) -> Any:
    """Posts the form. The page must warn of exactly these findings, and then they are confirmed, with any doubts about
    the input. `again` makes fields that cannot be sent twice, such as a one-time code."""
    response = browser.post(address, typed, follow=True)
    prediction = shown_prediction(response)
    assert sorted(each.code for each in prediction.findings) == sorted(codes)
    if not prediction:
        return response
    confirmed = {REASON_FIELD: REASON, CONFIRMED_FIELD: prediction.digest}
    return browser.post(address, typed | confirmed | again(), follow=True)


def post_anyway(
    browser: Client, address: str, typed: dict[str, Any], again: Callable[[], dict[str, Any]] = dict
) -> Any:
    """Posts the form and confirms whatever the page warns of, for tests about something else."""
    response = browser.post(address, typed, follow=True)
    prediction = shown_prediction(response)
    if not prediction:
        return response
    confirmed = {REASON_FIELD: REASON, CONFIRMED_FIELD: prediction.digest}
    return browser.post(address, typed | confirmed | again(), follow=True)
