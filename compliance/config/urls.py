"""The site's addresses. Every view carries an access rule (compliance.web.access); a view without one is refused."""

from django.urls import include, path

urlpatterns = [
    # First, because the controllers' address is asked for more often than all others together.
    path("", include("rounds.intake.urls")),
    path("", include("compliance.desk.urls")),
    path("", include("compliance.inspectorate.urls")),
    path("", include("compliance.webhooks.urls")),
    path("", include("compliance.proofs.urls")),
    path("", include("compliance.reports.urls")),
    path("", include("compliance.checklists.urls")),
    path("", include("compliance.reviews.urls")),
    path("", include("compliance.evidence.urls")),
    path("", include("compliance.restores.urls")),
    path("", include("compliance.witnesses.urls")),
    path("", include("compliance.fairness.urls")),
    path("", include("compliance.trials.urls")),
    path("", include("compliance.audit.urls")),
    path("", include("compliance.conduct.urls")),
    path("", include("compliance.disputes.urls")),
    path("", include("promotions.urls")),
    path("", include("compliance.equipment.urls")),
    path("", include("compliance.notices.urls")),
    path("", include("compliance.closures.urls")),
    path("", include("compliance.signs.urls")),
    path("", include("compliance.saved.urls")),
    path("", include("compliance.alerts.urls")),
    path("", include("compliance.disclosures.urls")),
    path("", include("compliance.patrons.urls")),
    path("", include("rounds.floor.urls")),
    path("", include("rounds.rulebook.urls")),
    path("", include("compliance.accounts.urls")),
    path("", include("compliance.web.urls")),
]

handler400 = "compliance.web.errors.bad_request"
handler403 = "compliance.web.errors.permission_denied"
handler404 = "compliance.web.errors.not_found"
handler500 = "compliance.web.errors.server_error"
