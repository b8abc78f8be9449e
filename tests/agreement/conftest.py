"""A machine whose acts a test chooses itself."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rounds.floor.fact_values import LimitsValue
from tests.agreement.acts import EveryAct
from tests.agreement.machine import Scene
from tests.agreement.tally import Tally
from tests.compliance.audit.house import House
from tests.compliance.audit.round_builders import NSW
from tests.compliance.disputes.disputed_round import Floor, floor

__all__ = ["floor"]


@pytest.fixture
def machine(floor: Floor) -> Iterator[EveryAct]:
    """At a table of New South Wales with a minimum of $5 and a maximum of $500."""
    house = House(floor.crew)
    table = house.open_table(rules=NSW, limits=LimitsValue(min=500, max=50_000))
    house.audit()

    class Acts(EveryAct):
        scene = Scene(floor, table, NSW, Tally())

    made = Acts()
    yield made
    made.teardown()
