"""States of a bundle. A database trigger enforces the same transitions (migration 0001)."""

from django.db.models import TextChoices


class BundleState(TextChoices):
    WAITING = "waiting", "Waiting"
    PREPARING = "preparing", "Being prepared"
    READY = "ready", "Ready"
    FAILED = "failed", "Failed"
    REMOVED = "removed", "Removed"


# A bundle whose worker died is built again: its state does not change.
TRANSITIONS: dict[BundleState, frozenset[BundleState]] = {
    BundleState.WAITING: frozenset({BundleState.PREPARING}),
    BundleState.PREPARING: frozenset({BundleState.PREPARING, BundleState.READY, BundleState.FAILED}),
    BundleState.READY: frozenset({BundleState.REMOVED}),
    BundleState.FAILED: frozenset(),
    BundleState.REMOVED: frozenset(),
}
UNFINISHED = frozenset({BundleState.WAITING, BundleState.PREPARING})
