"""The reason form: required, and as long as the column that stores the reason."""

import pytest
from django.db.models import Model

from compliance.core.web.ui.forms import ReasonForm
from compliance.notify.webhooks.forms import EndpointReasonForm
from compliance.notify.webhooks.models import EndpointStep
from compliance.reports.models import ScheduleStep
from compliance.tables.closures.models import ClosureStep
from compliance.tables.limit_notices.models import NoticeStep
from rounds.floor.models import FactRetraction


def column_length(model: type[Model]) -> int:
    length: int = model._meta.get_field("reason").max_length  # type: ignore[union-attr, assignment]
    return length


@pytest.mark.parametrize("model", [ClosureStep, NoticeStep, ScheduleStep, FactRetraction])
def test_a_reason_as_long_as_the_column_is_accepted_and_a_longer_one_is_not(model: type[Model]) -> None:
    longest = "r" * column_length(model)
    assert ReasonForm({"reason": longest}, model=model).is_valid()
    assert not ReasonForm({"reason": longest + "r"}, model=model).is_valid()


def test_forms_that_also_reauthenticate_have_the_length_of_their_column() -> None:
    assert EndpointReasonForm.base_fields["reason"].max_length == column_length(EndpointStep)  # type: ignore[attr-defined]


def test_a_reason_is_required_and_has_a_limit_without_a_column() -> None:
    assert ReasonForm({"reason": " "}).errors["reason"] == ["Say why."]
    assert ReasonForm({"reason": "r" * 500}).is_valid()
    assert not ReasonForm({"reason": "r" * 501}).is_valid()
    assert ReasonForm({"reason": "r" * 4000}, max_length=4000).is_valid()
