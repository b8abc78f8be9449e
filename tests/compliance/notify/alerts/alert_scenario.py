"""Harbour on the evening its lights failed: Ines and Ivan inspect, Sam supervises, Shirin manages the shift, Cora is
compliance officer, Ada administers, Mara does marketing. Otto inspects Marina: the outsider."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import Role
from compliance.notify.alerts.models import Alert
from compliance.notify.alerts.services import raise_alert
from tests.compliance.core.accounts.people import found_casino, give_phone, hire
from tests.fixture_snapshots import snapshotted

# 16 November 2026, 8:30 pm in Sydney.
FAILED_AT = datetime(2026, 11, 16, 9, 30, tzinfo=UTC)


@dataclass(frozen=True)
class House:
    harbour: Casino
    ada: User
    ines: User
    ivan: User
    sam: User
    shirin: User
    cora: User
    mara: User
    otto: User


@snapshotted
def open_house() -> House:
    harbour, ada = found_casino("harbour", "Harbour Casino", "Australia/Sydney", "ada")
    marina, mia = found_casino("marina", "Marina Casino", "Asia/Singapore", "mia")
    hired = {
        name: hire(name, harbour, role, by=ada)
        for name, role in (
            ("ines", Role.INSPECTOR),
            ("ivan", Role.INSPECTOR),
            ("sam", Role.CASINO_SUPERVISOR),
            ("shirin", Role.SHIFT_MANAGER),
            ("cora", Role.COMPLIANCE_OFFICER),
            ("mara", Role.MARKETING),
        )
    }
    otto = hire("otto", marina, Role.INSPECTOR, by=mia)
    for person in (ada, otto, *hired.values()):
        give_phone(person)
    return House(harbour, ada, otto=otto, **hired)


def after(seconds: float) -> datetime:
    return FAILED_AT + timedelta(seconds=seconds)


def lights_failed(house: House, **changes: Any) -> Alert:
    """An alert raised 0.4 seconds after the fact."""
    said: dict[str, Any] = {
        "casino": house.harbour, "duty": "equipment-fault", "to": Role.INSPECTOR, "clause": "8.8", "table": "sb-1",
        "statement": "The winning areas of SB-1 were not lit.", "fact_at": FAILED_AT, "now": after(0.4),
    }  # fmt: skip
    return raise_alert(**said | changes)
