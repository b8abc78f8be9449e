"""The pages of webhooks: permissions, refusals, escaping."""

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from compliance.core.web.errors import NotFound
from compliance.notify.webhooks.delivery.message_signature import public_key_text
from compliance.notify.webhooks.delivery.worker import deliver_due
from compliance.notify.webhooks.models import Delivery, Endpoint, EndpointStep
from compliance.notify.webhooks.services import MAX_ENDPOINTS, remove_endpoint, send_test_message
from rounds.ledger.readers.consumer import read_entries
from tests.compliance.core.accounts.people import browser_of, sign_off
from tests.compliance.notify.alerts.alert_scenario import House, lights_failed
from tests.compliance.notify.webhooks.receiver import Receiver
from tests.compliance.notify.webhooks.webhook_scenario import Hours, register, work

LIST = "/casinos/harbour/webhooks/"
CHOSEN = {
    "name": "Case system",
    "address": "https://hooks.example.com/fairthrow",
    "events": ["finding.recorded", "alert.raised"],
}
HARMFUL = "=1+1 <script>alert(1)</script>"


def page(browser: Client, path: str = "") -> str:
    return browser.get(LIST + path).content.decode()


def test_a_compliance_officer_registers_one_and_sees_the_key(house: House) -> None:
    cora = browser_of(house.cora)
    assert "No other system is told" in page(cora)
    answer = cora.post(f"{LIST}new/", CHOSEN | sign_off(house.cora))
    endpoint = Endpoint.objects.get()
    assert answer.headers["Location"] == f"{LIST}{endpoint.pk}/"
    shown = page(cora, f"{endpoint.pk}/")
    for words in ("Case system", "https://hooks.example.com/fairthrow", "Send a test", "Nothing was sent yet.", "Cora"):
        assert words in shown
    assert public_key_text().replace("+", "&#x2B;") in shown or public_key_text() in shown
    step = EndpointStep.objects.get()
    [entry] = read_entries("harbour", step.entry_index, step.entry_index + 1)
    assert entry.kind == "webhook-registered"
    assert entry.content()["by"]["name"] == "Cora"
    assert (entry.content()["address"], entry.content()["events"]) == (CHOSEN["address"], CHOSEN["events"])


def test_so_does_an_administrator_and_nobody_else(house: House) -> None:
    browser_of(house.ada).post(f"{LIST}new/", CHOSEN | sign_off(house.ada))
    endpoint = Endpoint.objects.get()
    for person in (house.ines, house.sam, house.shirin, house.otto):
        browser = browser_of(person)
        for path in ("new/", *(f"{endpoint.pk}/{act}/" for act in ("change", "off", "on", "remove", "test"))):
            assert browser.post(LIST + path, CHOSEN | {"reason": "Why not."} | sign_off(person)).status_code == 404, (
                path
            )
    assert EndpointStep.objects.count() == 1
    assert Delivery.objects.count() == 0


def test_the_service_itself_asks_who_acts(house: House) -> None:
    """An actor whose role ended after the page was opened, or who never had one here."""
    endpoint = register(house, "https://hooks.example.com/")
    for person in (house.ines, house.sam, house.mara, house.otto):
        with pytest.raises(NotFound):
            register(house, "https://hooks.example.com/", by=person)
        with pytest.raises(NotFound):
            remove_endpoint(endpoint=endpoint, reason="Why not.", actor=person, now=timezone.now())
        with pytest.raises(NotFound):
            send_test_message(endpoint=endpoint, actor=person, now=timezone.now())
    assert EndpointStep.objects.count() == 1


def test_an_inspector_reads_and_finds_no_button(house: House, there: Receiver) -> None:
    endpoint = register(house, there.address)
    lights_failed(house)
    work(Hours())
    ines, sent = browser_of(house.ines), Delivery.objects.get()
    for path in ("", f"{endpoint.pk}/", f"{endpoint.pk}/messages/{sent.pk}/"):
        shown = page(ines, path)
        assert "Case system" in shown
        for button in ("Register a webhook", "Send a test", "Switch off", "Remove", "Send again"):
            assert button not in shown


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"address": "https://10.0.0.1/"}, "leads into a network that is not public"),
        ({"address": "https://169.254.169.254/latest/meta-data/"}, "leads into a network that is not public"),
        ({"address": "https://[::ffff:10.0.0.1]/"}, "leads into a network that is not public"),
        ({"address": "https://0x7f.1/"}, "a number in a form that programs read differently"),
        ({"address": "https://db.internal/"}, "only means something inside a network"),
        ({"address": "https://a:b@hooks.example.com/"}, "a name or password before the host"),
        ({"address": "http://8.8.8.8/"}, "must begin with https://"),
        ({"address": "https://8.8.8.8:22/"}, "Port 22 is not called"),
        ({"address": "file:///etc/passwd"}, "must begin with https://"),
        ({"address": ""}, "Enter the address that is called."),
        ({"name": ""}, "Name the system."),
        ({"events": []}, "Choose at least one event."),
        ({"events": ["test"]}, "not one of the available choices"),
        ({"password": "not it"}, "That is not your password."),
    ],
)
def test_what_cannot_be_registered_is_said_and_what_was_typed_stays(
    house: House, wrong: dict[str, object], words: str
) -> None:
    answer = browser_of(house.cora).post(f"{LIST}new/", CHOSEN | sign_off(house.cora) | wrong)
    shown = answer.content.decode()
    assert words in shown
    assert "Error:" in shown
    assert str(wrong.get("name", "Case system")) in shown
    assert ('id="id_address_error"' in shown) is ("address" in wrong), "beside the field itself"
    assert Endpoint.objects.count() == 0


def test_a_casino_has_only_so_many(house: House) -> None:
    for number in range(MAX_ENDPOINTS):
        register(house, "https://hooks.example.com/", name=f"System {number}")
    answer = browser_of(house.cora).post(f"{LIST}new/", CHOSEN | sign_off(house.cora))
    assert "as many webhooks as it can have" in answer.content.decode()
    assert Endpoint.objects.count() == MAX_ENDPOINTS


def test_it_is_changed_switched_and_removed_each_by_an_entry(house: House) -> None:
    endpoint, cora = register(house, "https://hooks.example.com/"), browser_of(house.cora)
    of_it = f"{LIST}{endpoint.pk}/"
    cora.post(f"{of_it}change/", CHOSEN | {"name": "Register"} | sign_off(house.cora))
    cora.post(f"{of_it}off/", {"reason": "It moves."} | sign_off(house.cora))
    assert "Switch on" in page(cora, f"{endpoint.pk}/")
    again = cora.post(f"{of_it}off/", {"reason": "It moves."} | sign_off(house.cora)).content.decode()
    assert "no longer as it was" in again
    cora.post(f"{of_it}on/", sign_off(house.cora))
    cora.post(f"{of_it}remove/", {"reason": "It is gone."} | sign_off(house.cora))
    shown = page(cora, f"{endpoint.pk}/")
    assert "Send a test" not in shown
    assert "It moves." in shown
    steps = list(endpoint.steps.order_by("entry_index"))
    assert [(step.act, step.standing, step.name) for step in steps] == [
        ("registered", "active", "Case system"),
        ("changed", "active", "Register"),
        ("switched-off", "off", "Register"),
        ("switched-on", "active", "Register"),
        ("removed", "removed", "Register"),
    ]
    for step in steps:
        [entry] = read_entries("harbour", step.entry_index, step.entry_index + 1)
        assert (entry.kind, entry.content()) == (f"webhook-{step.act}", step.entry_body())


def test_a_test_is_sent_from_the_page_and_its_answer_shown(house: House, there: Receiver) -> None:
    endpoint, cora = register(house, there.address), browser_of(house.cora)
    there.answers = [503]
    answer = cora.post(f"{LIST}{endpoint.pk}/test/", follow=True)
    assert "It was not tried yet." in answer.content.decode()
    deliver_due(timezone.now)
    shown = page(cora, f"{endpoint.pk}/messages/{Delivery.objects.get().pk}/")
    for words in ("It answered 503.", "Given up", "Send again", "&quot;type&quot;: &quot;test&quot;"):
        assert words in shown
    cora.post(f"{LIST}{endpoint.pk}/messages/{Delivery.objects.get().pk}/again/")
    assert Delivery.objects.get().state == "waiting"
    twice = cora.post(f"{LIST}{endpoint.pk}/messages/{Delivery.objects.get().pk}/again/", follow=True)
    assert "This message was not given up." in twice.content.decode()


def test_the_log_is_narrowed_by_state_and_event(house: House, there: Receiver) -> None:
    endpoint, cora = register(house, there.address), browser_of(house.cora)
    alert = lights_failed(house)
    work(Hours())
    message = f"harbour_{alert.entry_index}_{endpoint.pk}"
    for query, is_there in (
        ("", True),
        ("?state=delivered", True),
        ("?state=given-up", False),
        ("?event=alert.raised", True),
        ("?event=finding.recorded", False),
        ("?state=nonsense&event=%00", True),
    ):
        assert (message in page(cora, f"{endpoint.pk}/{query}")) is is_there, query


def test_scripts_and_formulas_are_texts(house: House, there: Receiver) -> None:
    register(house, f"{there.address}&a='=1+1'", name=HARMFUL)
    cora, endpoint = browser_of(house.cora), Endpoint.objects.get()
    for path in ("", f"{endpoint.pk}/", *(f"{endpoint.pk}/{act}/" for act in ("change", "off", "on", "remove"))):
        shown = page(cora, path)
        assert "&lt;script&gt;alert(1)" in shown, path
        assert "<script>alert(1)" not in shown
    taken = b"".join(cora.get(f"{LIST}?format=csv")).decode("utf-8-sig")
    assert "'=1+1 <script>" in taken


def test_without_a_key_the_page_says_so(house: House, settings: Settings) -> None:
    endpoint = register(house, "https://hooks.example.com/")
    settings.WEBHOOK_KEY_FILE.write_text("not hex")
    assert "no key to sign them with" in page(browser_of(house.cora), f"{endpoint.pk}/")


def test_another_casino_s_webhook_is_as_if_it_were_not_there(house: House, there: Receiver) -> None:
    endpoint = register(house, there.address)
    assert browser_of(house.otto).get(f"/casinos/marina/webhooks/{endpoint.pk}/").status_code == 404
    lights_failed(house)
    work(Hours())
    other = register(house, there.address, name="Other")
    path = f"{LIST}{other.pk}/messages/{Delivery.objects.get().pk}/"
    assert browser_of(house.cora).get(path).status_code == 404
    assert browser_of(house.cora).post(f"{path}again/").status_code == 404


def test_only_those_who_read_the_ledger_are_led_to_its_entries(house: House, there: Receiver) -> None:
    """An administrator manages webhooks, but may not read the ledger."""
    endpoint = register(house, there.address)
    lights_failed(house)
    work(Hours())
    delivery = Delivery.objects.get()
    step = EndpointStep.objects.get()
    for path, index in (
        (f"{endpoint.pk}/", step.entry_index),
        (f"{endpoint.pk}/messages/{delivery.pk}/", delivery.entry_index),
    ):
        entry = f"/casinos/harbour/ledger/{index}/"
        assert entry in page(browser_of(house.cora), path)
        assert browser_of(house.cora).get(entry).status_code == 200
        assert entry not in page(browser_of(house.ada), path)
        assert browser_of(house.ada).get(entry).status_code == 404
