"""Refusals of the ledger pages."""

from compliance.core.web.errors import NotFound, Refusal, Unprocessable


class NothingToExport(Unprocessable):
    code = "nothing-to-take"
    title = "There is nothing to take away"
    detail = "The log has no entries there."
    remedy = "Choose another time or other entries."


class TooManyEntries(Unprocessable):
    code = "too-much-to-take"
    title = "That is more than one bundle holds"
    remedy = "Take it away in several bundles, or ask those who run the service for manage.py export_bundle."


class TooManyWagers(Unprocessable):
    code = "too-many-wagers"
    title = "That is more than one file holds"
    remedy = "Take fewer gaming days at once, or ask those who run the service for manage.py export_parquet."


class BundleRemoved(Refusal):
    code = "bundle-gone"
    status = 410
    title = "This file is no longer here"
    detail = "Files are kept for seven days after they were prepared, then removed."
    remedy = "Ask for the same entries again: it is prepared anew, with today's checkpoint."


class BundleNotReady(Refusal):
    code = "bundle-not-ready"
    status = 409
    title = "This file is not ready"
    detail = "It is still being prepared, or could not be."
    remedy = "Open the bundle's page to see how far it has come."


class NotSignedYet(NotFound):
    code = "not-signed-yet"
    title = "Not signed yet"
    detail = "No signed checkpoint covers this yet. One is signed every minute."
    remedy = "Try again in a minute."


class InvalidNumber(Unprocessable):
    code = "bad-number"
    title = "A number in the address cannot be used"
    remedy = "Give plain digits without leading zeroes, within the size of the newest checkpoint."


class UnknownPublicLog(NotFound):
    code = "unknown-log"
    title = "There is no such log"
    detail = "No log bears this name."
    remedy = "The page /logs/ lists them all."
