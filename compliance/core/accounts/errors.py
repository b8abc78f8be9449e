"""Refusals of the accounts services. Forms show the detail; pages show the whole refusal."""

from compliance.core.web.errors import Refusal


class AccountRefusal(Refusal):
    code = "account-refused"
    status = 409
    title = "The account was not changed"


class NotAdministrator(AccountRefusal):
    code = "not-administrator"
    status = 403
    detail = "Only an administrator of this casino can do that."
    remedy = "Ask an administrator of the casino."


class NotAdministratorOfSide(NotAdministrator):
    code = "not-administrator-of-side"
    detail = (
        "Administrators of the casino manage the accounts of its staff, administrators of the government those of "
        "inspectors and authority officers. Neither gives or ends a role of the other side, or changes its accounts."
    )
    remedy = "Ask an administrator of the other side."


class RolesOfBothSides(AccountRefusal):
    code = "roles-of-both-sides"
    detail = (
        "Nobody holds a government role and a casino role at the same time, at any casino, and this person holds one "
        "of the other side."
    )
    remedy = "End that role first, or give this one to somebody else."


class CannotGiveOwnRole(AccountRefusal):
    code = "own-role"
    detail = "You cannot give a role to yourself."
    remedy = "Ask another administrator of the casino."


class CannotChangeOwnAccount(AccountRefusal):
    code = "own-account"
    detail = "You cannot do this to your own account."
    remedy = "Ask another administrator of the casino."


class LastAdministrator(AccountRefusal):
    code = "last-administrator"
    detail = "A casino keeps at least one administrator, and this is the last one."
    remedy = "Make somebody else an administrator first."


class WorksElsewhere(AccountRefusal):
    code = "works-elsewhere"
    detail = "This person also holds a role that you do not administer, at another casino or of the other side."
    remedy = "End the roles that you administer instead, or ask somebody who administers all of them."


class RoleHeldAlready(AccountRefusal):
    code = "role-held-already"
    detail = "This person already holds that role here."


class RoleEndedAlready(AccountRefusal):
    code = "role-ended-already"
    detail = "This role has already ended."


class DisabledAlready(AccountRefusal):
    code = "disabled-already"
    detail = "This account is disabled already."


class EnabledAlready(AccountRefusal):
    code = "enabled-already"
    detail = "This account is enabled already."


class InvitedAlready(AccountRefusal):
    code = "invited-already"
    detail = "There is an open invitation for this e-mail address and role."
    remedy = "Send that invitation again, or withdraw it first."


class InvitationClosed(AccountRefusal):
    code = "invitation-closed"
    title = "This invitation can no longer be used"
    detail = "It was accepted, withdrawn or ran out."
    remedy = "Ask the administrator who invited you to send it again."


class InvitationForAnotherPerson(AccountRefusal):
    code = "invited-somebody-else"
    detail = "This invitation was sent to another e-mail address than the one you signed in with."
    remedy = "Sign out, then open the link again."


class InvitedKnownPerson(AccountRefusal):
    code = "invited-known-person"
    detail = "There is already an account for this e-mail address."
    remedy = "Sign in to accept the invitation."


class EnrolledAlready(AccountRefusal):
    code = "enrolled-already"
    detail = "A second factor is set up for this account already."


class DemoPasswordIsFixed(AccountRefusal):
    code = "demo-password"
    detail = "The demo's passwords are published, so they stay as they are."


class NoSecondFactor(AccountRefusal):
    code = "no-second-factor"
    detail = "This account has no second factor."


class WrongCode(AccountRefusal):
    code = "wrong-code"
    status = 422
    title = "The code was not accepted"
    detail = "That code is wrong or was used already. Enter the code your authenticator app shows now."


class TooManyCodeAttempts(AccountRefusal):
    code = "too-many-codes"
    status = 429
    title = "The code was not checked"
    detail = "There were too many wrong codes."
