"""Why a witness does not start or does not sign: one sentence that says what to do."""

from rounds.transparency_log.errors import LedgerError


class WitnessError(LedgerError):
    """Base class: something the operator of the witness has to act on."""


class StateLost(WitnessError):
    """The witness's state is missing or older than what its key has signed.

    Starting afresh would sign a rewritten log.
    """


class LogNotFollowed(WitnessError):
    """The witness does not follow this log."""


class NotTrusted(WitnessError):
    """The note is not signed by any key that the witness trusts for this log."""


class InvalidCheckpointRequest(WitnessError):
    """The request is not a valid add-checkpoint request."""


class SizeMismatch(WitnessError):
    """The request does not start from the size the witness cosigned last, which is `kept_size`."""

    def __init__(self, kept_size: int, sentence: str = "") -> None:
        super().__init__("other-size", sentence or f"The last checkpoint cosigned has {kept_size} entries.")
        self.kept_size = kept_size


class RootMismatch(SizeMismatch):
    """The log's key signed two different trees of the same size."""

    def __init__(self, kept_size: int) -> None:
        super().__init__(kept_size, f"The log signed another history of the same {kept_size} entries before.")
        self.code = "other-root"


class ServiceUnreachable(WitnessError):
    """The service did not answer, or gave an unexpected answer."""


class RateLimited(ServiceUnreachable):
    """The service's rate limit was reached. `seconds` is how long to wait."""

    def __init__(self, address: str, seconds: int) -> None:
        super().__init__("too-soon", f"{address} asks to wait {seconds} seconds.")
        self.seconds = seconds
