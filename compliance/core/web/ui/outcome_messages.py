"""OutcomeMessages: the message storage. Turns the success message of an act that was recorded in spite of predicted
findings into a warning that names them, because green is for what is in order."""

from typing import Any

from django.contrib.messages import constants
from django.contrib.messages.storage.fallback import FallbackStorage
from django.http import HttpResponseBase
from django.utils.html import format_html

from compliance.core.web.ui.precheck import EXPECTED_FINDINGS


class OutcomeMessages(FallbackStorage):
    def add(self, level: int, message: Any, extra_tags: str | None = "") -> None:
        expected = self._pop_expected() if level == constants.SUCCESS else ""
        if expected:
            level, message = constants.WARNING, format_html("{} {}", message, expected)
        super().add(level, message, extra_tags)

    def update(self, response: HttpResponseBase) -> Any:
        """At the end of the request: for an act after which the view showed no message."""
        expected = self._pop_expected()
        if expected:
            super().add(constants.WARNING, expected)
        return super().update(response)

    def _pop_expected(self) -> str:
        return str(vars(self.request).pop(EXPECTED_FINDINGS, ""))
