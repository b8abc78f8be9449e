"""What becomes of a bundle. The database holds every change to the same table (migration 0001)."""

from django.db.models import TextChoices


class BundleState(TextChoices):
    WAITING = "waiting", "Waiting"
    PREPARING = "preparing", "Being prepared"
    READY = "ready", "Ready"
    FAILED = "failed", "Failed"
    REMOVED = "removed", "Removed"


# A bundle whose worker was lost is prepared again: it stays where it is.
MAY_FOLLOW: dict[BundleState, frozenset[BundleState]] = {
    BundleState.WAITING: frozenset({BundleState.PREPARING}),
    BundleState.PREPARING: frozenset({BundleState.PREPARING, BundleState.READY, BundleState.FAILED}),
    BundleState.READY: frozenset({BundleState.REMOVED}),
    BundleState.FAILED: frozenset(),
    BundleState.REMOVED: frozenset(),
}
UNFINISHED = frozenset({BundleState.WAITING, BundleState.PREPARING})
