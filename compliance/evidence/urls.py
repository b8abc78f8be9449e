from django.urls import include, path

from compliance.evidence import api
from compliance.evidence.views import bundles, completeness, entry, ledger, public

app_name = "evidence"

of_a_casino = [
    path("", ledger.ledger, name="ledger"),
    path("growth.svg", ledger.growth, name="growth"),
    path("verification/", ledger.verification, name="verification"),
    path("verify/", ledger.verify, name="verify"),
    path("completeness/", completeness.completeness, name="completeness"),
    path("bundles/", bundles.bundles, name="bundles"),
    path("bundles/new/", bundles.new, name="new-bundle"),
    path("bundles/<int:bundle>/", bundles.bundle, name="bundle"),
    path("bundles/<int:bundle>/progress/", bundles.progress, name="bundle-progress"),
    path("bundles/<int:bundle>/file/", bundles.download, name="bundle-file"),
    path("<int:index>/", entry.entry, name="entry"),
    path("<int:index>/check/", entry.check, name="check"),
    path("<int:index>/proof/", entry.proof, name="proof"),
    path("<int:index>/bytes/", entry.leaf, name="leaf"),
]

urlpatterns = [
    path("ledgers/", ledger.ledgers, name="ledgers"),
    path("casinos/<slug:casino>/ledger/", include(of_a_casino)),
    path("evidence/verify_bundle.py", public.verify_bundle, name="verifier"),
    path("logs/", public.logs, name="logs"),
    path("logs/<slug:log>/checkpoint", public.checkpoint, name="checkpoint"),
    path("logs/<slug:log>/key", public.key, name="key"),
    path("api/v1/logs/<slug:log>/proof/inclusion", api.inclusion, name="inclusion"),
    path("api/v1/logs/<slug:log>/proof/consistency", api.consistency, name="consistency"),
]
