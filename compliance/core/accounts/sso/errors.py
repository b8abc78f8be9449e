"""Refusals of single sign-on, each with its own page. None reveals whether an account exists."""

from compliance.core.accounts.errors import AccountRefusal

# Some providers are mandatory for their people.
SIGN_IN_HINT = "Unless your organisation demands its own sign-in, your password works too."


class SingleSignOnRefusal(AccountRefusal):
    code = "single-sign-on-refused"
    status = 403
    title = "You are not signed in"


class ProviderUnreachable(SingleSignOnRefusal):
    code = "provider-unreachable"
    status = 503
    title = "Your organisation's sign-in does not answer"
    detail = "We asked it and got no answer that could be used. Nothing is wrong with your account."
    remedy = f"Try again in a few minutes. {SIGN_IN_HINT}"


class ProviderResponseInvalid(SingleSignOnRefusal):
    code = "provider-wrong"
    status = 502
    title = "Your organisation's sign-in is not set up as we expect"
    detail = "It names another issuer, other addresses or other ways of signing than were agreed."
    remedy = f"Tell those who run the service. {SIGN_IN_HINT}"


class SignInCancelled(SingleSignOnRefusal):
    code = "sign-in-cancelled"
    detail = "You cancelled, or your organisation did not let you go on."
    remedy = f"Try again. {SIGN_IN_HINT}"


class ProviderRefused(SingleSignOnRefusal):
    code = "provider-refused"
    detail = "Your organisation's sign-in refused our question, so it did not say who you are."
    remedy = "Try again. If it happens again, tell those who run the service."


class AuthorizationStateUnknown(SingleSignOnRefusal):
    code = "way-back-unknown"
    status = 400
    detail = "This sign-in was used already, took more than ten minutes, or was begun in another browser."
    remedy = "Begin again from the sign-in page."


class IdTokenRejected(SingleSignOnRefusal):
    code = "answer-not-believed"
    detail = "What came back is not a word of your organisation to us about this sign-in, so we do not act on it."
    remedy = "Begin again from the sign-in page. If it happens again, tell those who run the service."


class ClocksDiffer(SingleSignOnRefusal):
    code = "clocks-differ"
    detail = "By our clock, what your organisation said is out of date or comes from the future."
    remedy = "Try again. If it happens again, one of the two clocks is wrong: tell those who run the service."


class SignedInTooLongAgo(SingleSignOnRefusal):
    code = "signed-in-too-long-ago"
    detail = "You proved to your organisation who you are longer ago than is allowed here."
    remedy = "Sign out there, then begin again from our sign-in page."


class AccountDisabled(SingleSignOnRefusal):
    code = "account-closed"
    detail = "Your account is disabled."
    remedy = "If you think that is a mistake, ask an administrator of your casino."


class PersonNotCoveredByProvider(SingleSignOnRefusal):
    code = "not-its-person"
    detail = "This organisation does not answer for every role that the account holds."
    remedy = "Sign in with your password. Those who run the service say which roles an organisation answers for."


class IdentityOfAnotherPerson(SingleSignOnRefusal):
    code = "somebody-else-signed-in"
    status = 409
    detail = "You are signed in here as somebody else than your organisation says."
    remedy = "Sign out first, then begin again from the sign-in page."


class LinkedAlready(AccountRefusal):
    code = "linked-already"
    detail = "This sign-in, or this account, is linked already."
    remedy = "Remove the link that is there first."


class LinkNotOffered(AccountRefusal):
    code = "not-offered"
    detail = "Your organisation does not confirm that the e-mail address of this account is yours."
    remedy = "Ask an administrator of your casino to offer you single sign-on, then try again."


class IdentityNotLinked(AccountRefusal):
    code = "not-linked"
    detail = "There is no such link any more."


class NoIdentityToLink(AccountRefusal):
    code = "nothing-to-link"
    status = 410
    title = "There is nothing to link"
    detail = "Ten minutes have passed, or it was done already."
    remedy = "Begin again from your account page."
