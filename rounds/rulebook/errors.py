"""Refusals of the rulebook. Forms show the detail; error pages show the whole refusal."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from compliance.core.web.errors import Refusal

if TYPE_CHECKING:
    from rounds.rulebook.models import PackEdit


class RulebookRefusal(Refusal):
    code = "rulebook-refused"
    status = 409
    title = "The rulebook was not changed"


class MayNotPropose(RulebookRefusal):
    code = "may-not-propose"
    status = 403
    detail = "Rule versions are proposed by a compliance officer, an inspector or an authority officer of this casino."
    remedy = "Ask one of them to propose it."


class MayNotApprove(RulebookRefusal):
    code = "may-not-approve"
    status = 403
    detail = "Rule versions are approved by an inspector or an authority officer of this casino."
    remedy = "Ask one of them to approve it."


class MayNotRule(RulebookRefusal):
    code = "may-not-rule"
    status = 403
    detail = "Only an inspector of this casino rules on how a clause is read."
    remedy = "Ask an inspector."


class MayNotWithdraw(RulebookRefusal):
    code = "may-not-withdraw"
    status = 403
    detail = "A proposal is withdrawn by whoever proposed it or by government; an approved version by government alone."
    remedy = "Ask an inspector or an authority officer of this casino."


class BadPack(RulebookRefusal):
    """A pack that fails validation. `problems` has one line for each: file, key, what was found, what was expected."""

    code = "bad-rule-pack"
    status = 422
    title = "The rule pack cannot be used"
    detail = "The file has faults; each is named with its key, what was found and what was expected."
    remedy = "Correct every line that is named here, then choose the file again."

    def __init__(self, problems: Sequence[str] = ()) -> None:
        super().__init__(" ".join(problems))
        self.problems = tuple(problems)


class BadSource(RulebookRefusal):
    code = "bad-source-document"
    status = 422
    title = "The source document cannot be stored"
    detail = "It must be a PDF or a plain text in UTF-8, of at most 10 MB."
    remedy = "Choose another file."


class NotAwaitingApproval(RulebookRefusal):
    code = "not-waiting"
    detail = "This version is no longer waiting: somebody approved or withdrew it first."
    remedy = "Open the version to see who did what, and when."


class InForceAlready(RulebookRefusal):
    code = "in-force-already"
    detail = "This version has taken effect, so it can no longer be withdrawn."
    remedy = "Propose a new version that takes over from an instant on."


class EffectiveTimeTaken(RulebookRefusal):
    code = "instant-taken"
    detail = (
        "Another version of the same rules takes effect at that very instant, so it would be unclear which governs."
    )
    remedy = "Choose another instant, or withdraw the other version first."


class EvidenceNeeded(RulebookRefusal):
    code = "evidence-needed"
    status = 422
    detail = "The document prints no date, or another than the one you give."
    remedy = "Say what shows that it applies from that instant on."


class EdgesNotConfirmed(RulebookRefusal):
    code = "edges-not-confirmed"
    status = 422
    detail = "Some house edges are outside the ordinary range and must be confirmed."
    remedy = "Give the reason why they are accepted."


class NothingToRule(RulebookRefusal):
    code = "nothing-to-rule"
    status = 422
    detail = "The version reads this clause that way already, or has no such reading."
    remedy = "Choose another reading."


class NotRulable(RulebookRefusal):
    code = "not-rulable"
    detail = "A ruling changes a version that was approved. This one was not, or was withdrawn."
    remedy = "Propose a version with the reading you mean instead."


class TextTooLarge(RulebookRefusal):
    code = "pack-text-too-large"
    status = 413
    title = "The text is too large to be edited here"
    detail = "The text is larger than 256 kB, so it is not kept."
    remedy = "Take something out, or upload it as a file."


class NotUtf8Text(RulebookRefusal):
    code = "pack-not-a-text"
    status = 422
    title = "The file cannot be edited"
    detail = "It is not a text in UTF-8."
    remedy = "Choose another file."


class ChangedInOtherWindow(RulebookRefusal):
    """Optimistic locking conflict of the editor. `edit` is the row as the other window saved it."""

    code = "pack-text-changed-elsewhere"
    title = "The text was changed in another window"
    detail = "Another window or device has kept a different text since this one was opened."
    remedy = "Choose which of the two goes on."

    def __init__(self, edit: "PackEdit") -> None:
        super().__init__()
        self.edit = edit
