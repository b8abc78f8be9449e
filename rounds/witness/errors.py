"""Why a witness does not start or does not sign: one plain sentence, which says what to do."""

from rounds.ledger import LedgerError


class WitnessError(LedgerError):
    """Something the person who runs the witness has to see to."""


class StateLost(WitnessError):
    """What the witness remembers is gone, or older than what its key has signed: it must not start from nothing."""


class UnknownLog(WitnessError):
    """A log that this witness was not told to follow."""


class NotTrusted(WitnessError):
    """No key that the witness trusts for this log signed the note."""


class BadRequest(WitnessError):
    """What was sent is not a request to cosign."""


class SizeMismatch(WitnessError):
    """The request goes on from another size than the witness's last. `kept_size` is where it must go on from."""

    def __init__(self, kept_size: int, sentence: str = "") -> None:
        super().__init__("other-size", sentence or f"The last checkpoint cosigned has {kept_size} entries.")
        self.kept_size = kept_size


class RootMismatch(SizeMismatch):
    """The log's own key signed two histories of one length."""

    def __init__(self, kept_size: int) -> None:
        super().__init__(kept_size, f"The log signed another history of the same {kept_size} entries before.")
        self.code = "other-root"


class ServiceUnreachable(WitnessError):
    """The service did not answer, or not with what was asked for."""


class RateLimited(ServiceUnreachable):
    """The service was asked too often. `seconds` is how long to wait."""

    def __init__(self, address: str, seconds: int) -> None:
        super().__init__("too-soon", f"{address} asks to wait {seconds} seconds.")
        self.seconds = seconds
