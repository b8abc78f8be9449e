"""Refusals of the floor's services. Forms show the detail; pages show the whole refusal."""

from compliance.core.web.errors import Refusal


class FloorRefusal(Refusal):
    code = "floor-refused"
    status = 409
    title = "The floor was not changed"


class RoleNotHeld(FloorRefusal):
    code = "floor-not-yours"
    status = 403
    detail = "None of the roles you hold at this casino allows this."
    remedy = "Ask somebody who holds the role, or an administrator of the casino."


class SlugTaken(FloorRefusal):
    code = "floor-name-taken"
    detail = "This short name is or was in use here. Entries bear it for ever, so it cannot be used again."
    remedy = "Choose another."


class BadSlug(FloorRefusal):
    code = "floor-bad-name"
    status = 422
    detail = "A short name has small letters, figures and hyphens, at most 40, and starts with a letter or figure."


class RetiredAlready(FloorRefusal):
    code = "floor-retired-already"
    detail = "This was taken out of use already."


class OfAnotherCasino(FloorRefusal):
    code = "floor-another-casino"
    status = 404
    detail = "This table belongs to another casino."


class BadKey(FloorRefusal):
    code = "bad-controller-key"
    status = 422
    detail = "This is not an Ed25519 public key."
    remedy = "Paste its 32 bytes in base64 (44 characters), or the whole PEM block that begins with BEGIN PUBLIC KEY."


class PrivateKeyPasted(FloorRefusal):
    code = "private-key-pasted"
    status = 422
    detail = "This is a private key. It was not stored, but it has left the controller and must not be used any more."
    remedy = "Make a new key on the controller, and paste only its public half here."


class KeyAlreadyRegistered(FloorRefusal):
    code = "controller-key-known"
    detail = "This public key was proposed before. A key belongs to one controller and is used once."
    remedy = "Make a new key on the controller."


class KeyNotWaiting(FloorRefusal):
    code = "key-not-waiting"
    detail = "This key was approved or revoked already."


class KeyRevokedAlready(FloorRefusal):
    code = "key-revoked-already"
    detail = "This key is revoked already."


class KeyBegunBeforeApproval(FloorRefusal):
    code = "key-begins-too-early"
    status = 422
    detail = "A key counts from its approval on, or from a later instant; never from an earlier one."


class TableAlreadyAssigned(FloorRefusal):
    code = "table-given-already"
    detail = "This controller may speak for this table already."


class TableNotAssigned(FloorRefusal):
    code = "table-ended-already"
    detail = "This controller does not speak for this table any more."


class BadFact(FloorRefusal):
    """A malformed value. `field` is the path of the wrong member, such as `odds.total:4`."""

    code = "bad-fact"
    status = 422

    def __init__(self, detail: str = "", *, field: str = "") -> None:
        super().__init__(detail)
        self.field = field


class UnknownFact(FloorRefusal):
    code = "unknown-fact"
    status = 404
    detail = "There is no such fact."


class PlannedBreach(FloorRefusal):
    """The fact a person wants to record would break a rule from its effective instant on. Nothing was recorded; the
    detail names each breach."""

    code = "planned-breach"
    status = 422
    title = "This would break a rule"
    remedy = "Change what is named here. What already happened at the table is reported by its controller instead."


class FactAlreadyRetracted(FloorRefusal):
    code = "fact-taken-back-already"
    detail = "This fact was taken back already."
