"""A webhook redirected by a database superuser is found by verify_ledger."""

import pytest

from compliance.notify.webhooks.models import Endpoint
from compliance.notify.webhooks.services import change_endpoint, register_endpoint
from rounds.ledger.verify.verify_log import verify_log
from tests.compliance.notify.alerts.alert_scenario import FAILED_AT, House
from tests.compliance.notify.webhooks.webhook_scenario import register
from tests.compliance.tampering import tamper


def two(house: House) -> Endpoint:
    """An endpoint that was changed, and a second one."""
    endpoint = register(house, "https://hooks.example.com/")
    register_endpoint(
        casino=house.harbour,
        name="Other",
        address="https://other.example.com/",
        events=["alert.raised"],
        actor=house.ada,
        now=FAILED_AT,
    )
    return change_endpoint(
        endpoint=endpoint,
        name="Case system",
        address="https://hooks.example.com/new",
        events=["alert.raised"],
        actor=house.cora,
        now=FAILED_AT,
    )


@pytest.mark.parametrize(
    ("table", "statement"),
    [
        ("endpoint", "UPDATE webhooks_endpoint SET address = 'https://evil.example.com/'"),
        ("endpoint", "UPDATE webhooks_endpoint SET address = 'https://hooks.example.com/' WHERE name = 'Case system'"),
        ("endpoint", "UPDATE webhooks_endpoint SET events = '[]'"),
        ("endpoint", "UPDATE webhooks_endpoint SET name = 'Nobody' WHERE name = 'Other'"),
        ("endpoint", "UPDATE webhooks_endpoint SET standing = 'off'"),
        ("endpoint", "UPDATE webhooks_endpoint SET casino_id = (SELECT id FROM accounts_casino WHERE slug = 'marina')"),
        (
            "endpoint",
            "INSERT INTO webhooks_endpoint (casino_id, name, address, events, standing) SELECT id, 'Evil',"
            " 'https://evil.example.com/', '[\"alert.raised\"]', 'active' FROM accounts_casino WHERE slug = 'harbour'",
        ),
        ("endpointstep", "UPDATE webhooks_endpointstep SET address = 'https://evil.example.com/'"),
        ("endpointstep", "UPDATE webhooks_endpointstep SET by_name = 'Otto'"),
        ("endpointstep", "UPDATE webhooks_endpointstep SET act = 'changed'"),
        ("endpointstep", "DELETE FROM webhooks_endpointstep WHERE act = 'changed'"),
    ],
)
def test_whatever_is_changed_in_the_database_is_found(committed: House, table: str, statement: str) -> None:
    two(committed)
    assert verify_log("harbour").is_intact
    tamper(f"webhooks_{table}", statement)
    assert not verify_log("harbour").is_intact
