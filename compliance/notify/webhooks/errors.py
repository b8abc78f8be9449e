"""Refusals about webhooks."""

from compliance.core.web.errors import Conflict, Refusal, Unprocessable


class AddressRefused(Unprocessable):
    code = "webhook-address-refused"
    title = "This address is not called"
    detail = "The service calls only public addresses, by HTTPS."
    remedy = "Enter an address such as https://hooks.example.com/fairthrow."


class BadEndpoint(Unprocessable):
    code = "webhook-incomplete"
    title = "The webhook was not saved"
    detail = "A webhook needs a name and at least one event that we know."
    remedy = "Name the system and choose what it is told."


class TooManyEndpoints(Conflict):
    code = "webhook-too-many"
    title = "There are enough webhooks here"
    detail = "This casino has as many webhooks as it can have."
    remedy = "Remove one that is no longer used."


class EndpointStateConflict(Conflict):
    code = "webhook-not-now"
    title = "Nothing was changed"
    detail = "The webhook is no longer as it was when you opened the page."
    remedy = "Open its page again to see how it stands."


class NoWebhookKey(Refusal):
    code = "webhook-no-key"
    status = 503
    title = "Messages cannot be signed"
    detail = "The service has no key to sign them with."
    remedy = "Those who run it set WEBHOOK_KEY_FILE to where the key is."
