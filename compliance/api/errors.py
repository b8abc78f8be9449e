"""Errors of the API, and refusals of the token services."""

from typing import Any

from compliance.core.web.errors import BadRequest, Conflict, Forbidden, Refusal, Unprocessable


class NoToken(Refusal):
    code = "no-token"
    status = 401
    title = "This address needs a token"
    detail = "The request carries no token that we know."
    remedy = "Send the header Authorization: Bearer TOKEN, with a token an inspector made for your system."

    def __init__(self, detail: str = "", **particulars: Any) -> None:
        super().__init__(detail, **particulars)
        self.headers.setdefault("WWW-Authenticate", 'Bearer realm="Fairthrow"')


class ExpiredToken(NoToken):
    code = "expired-token"
    title = "This token has expired"
    detail = "It was made for a limited time, which is over."
    remedy = "Ask the inspector to make a new one."


class RevokedToken(NoToken):
    code = "revoked-token"
    title = "This token no longer counts"
    detail = "It was revoked, or whoever made it no longer holds a role that may read this."
    remedy = "Ask the inspectorate for a new one."


class OutOfScope(Forbidden):
    code = "out-of-scope"
    title = "This token does not reach that far"
    detail = "It was not made for this kind of records."
    remedy = "Ask the inspector for a token with this kind in its scope."


class BadParameter(BadRequest):
    code = "bad-parameter"
    title = "The address asks for something we do not know"
    detail = "A parameter is not one of this address, or its value cannot be used."
    remedy = "Correct the parameter and send the request again. The API's document lists them all."


class ReadOnly(Refusal):
    code = "read-only"
    status = 405
    title = "This address is only read"
    detail = "Other systems read; they change nothing."
    remedy = "Send a GET."


class NothingToRead(Unprocessable):
    code = "token-without-scope"
    title = "The token was not made"
    detail = "A token needs at least one casino where you may read, and at least one kind of records."
    remedy = "Choose what it is for."


class RevokedAlready(Conflict):
    code = "token-revoked-already"
    title = "Somebody revoked this token already"
    detail = "Nothing was changed: it reads nothing any more."
    remedy = "Open the list of tokens to see who revoked it."
