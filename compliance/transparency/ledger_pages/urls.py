from django.urls import include, path

from compliance.transparency.ledger_pages import proof_api
from compliance.transparency.ledger_pages.views import bundles, completeness, entry, ledger, public

app_name = "evidence"

casino_urls = [
    path("", ledger.ledger_detail, name="ledger"),
    path("growth.svg", ledger.growth_chart_svg, name="growth"),
    path("verification/", ledger.verification_progress, name="verification"),
    path("verify/", ledger.start_verification, name="verify"),
    path("completeness/", completeness.completeness, name="completeness"),
    path("bundles/", bundles.bundle_list, name="bundles"),
    path("bundles/new/", bundles.new_bundle, name="new-bundle"),
    path("bundles/<int:bundle>/", bundles.bundle_detail, name="bundle"),
    path("bundles/<int:bundle>/progress/", bundles.bundle_progress, name="bundle-progress"),
    path("bundles/<int:bundle>/cancel/", bundles.cancel, name="cancel-bundle"),
    path("bundles/<int:bundle>/retry/", bundles.retry, name="retry-bundle"),
    path("bundles/<int:bundle>/file/", bundles.download_bundle, name="bundle-file"),
    path("<int:index>/", entry.entry_detail, name="entry"),
    path("<int:index>/check/", entry.check_entry, name="check"),
    path("<int:index>/proof/", entry.download_proof, name="proof"),
    path("<int:index>/bytes/", entry.download_leaf, name="leaf"),
]

urlpatterns = [
    path("ledgers/", ledger.choose_ledger, name="ledgers"),
    path("casinos/<slug:casino>/ledger/", include(casino_urls)),
    path("evidence/verify_bundle.py", public.download_verifier, name="verifier"),
    path("logs/", public.log_list, name="logs"),
    path("logs/<slug:log>/checkpoint", public.newest_checkpoint_file, name="checkpoint"),
    path("logs/<slug:log>/key", public.verifier_key_file, name="key"),
    path("api/v1/logs/<slug:log>/proof/inclusion", proof_api.inclusion_proof_view, name="inclusion"),
    path("api/v1/logs/<slug:log>/proof/consistency", proof_api.consistency_proof_view, name="consistency"),
]
