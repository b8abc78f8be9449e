"""URLs of the site. Every view needs an access rule (compliance.core.web.access); a view without one is refused."""

from django.urls import include, path

urlpatterns = [
    # First, because controllers send more requests than all others together.
    path("", include("rounds.intake.urls")),
    path("", include("compliance.pages.urls")),
    path("", include("compliance.api.urls")),
    path("", include("compliance.notify.webhooks.urls")),
    path("", include("compliance.transparency.wager_proofs.urls")),
    path("", include("compliance.reports.urls")),
    path("", include("compliance.inspection.checklists.urls")),
    path("", include("compliance.inspection.reviews.urls")),
    path("", include("compliance.transparency.ledger_pages.urls")),
    path("", include("compliance.transparency.recovery.urls")),
    path("", include("compliance.transparency.witness_registry.urls")),
    path("", include("compliance.analysis.fairness.urls")),
    path("", include("compliance.analysis.what_if.urls")),
    path("", include("compliance.audit.urls")),
    path("", include("compliance.tables.player_conduct.urls")),
    path("", include("compliance.disputes.urls")),
    path("", include("promotions.urls")),
    path("", include("compliance.tables.equipment.urls")),
    path("", include("compliance.tables.limit_notices.urls")),
    path("", include("compliance.tables.closures.urls")),
    path("", include("compliance.tables.signs.urls")),
    path("", include("compliance.notify.saved_views.urls")),
    path("", include("compliance.notify.alerts.urls")),
    path("", include("compliance.privacy.access_log.urls")),
    path("", include("compliance.privacy.personal_data.urls")),
    path("", include("rounds.floor.urls")),
    path("", include("rounds.rulebook.urls")),
    path("", include("compliance.core.corrections.urls")),
    path("", include("compliance.core.accounts.urls")),
    path("", include("compliance.core.web.urls")),
]

handler400 = "compliance.core.web.errors.bad_request"
handler403 = "compliance.core.web.errors.permission_denied"
handler404 = "compliance.core.web.errors.not_found"
handler500 = "compliance.core.web.errors.server_error"
