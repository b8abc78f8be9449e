from django.urls import include, path

from promotions.claims.views import claims, denial_register

app_name = "claims"

claim_urls = [
    path("", claims.claim, name="claim"),
    path("meet/", claims.meet_claim, name="meet"),
    path("deny/", claims.deny_claim, name="deny"),
    path("told/", claims.record_reasons, name="tell"),
    path("pay/", claims.pay_claim, name="pay"),
    path("letter/", claims.denial_letter_pdf, name="letter"),
]

urlpatterns = [
    path("casinos/<slug:casino>/promotions/claims/", claims.claims, name="claims"),
    path("casinos/<slug:casino>/promotions/claims/denied/", denial_register.denied_claims, name="denied"),
    path("casinos/<slug:casino>/promotions/claims/denied.csv", denial_register.export_denials, name="denied-csv"),
    path("casinos/<slug:casino>/promotions/claims/<int:claim>/", include(claim_urls)),
    path("casinos/<slug:casino>/promotions/<int:promotion>/claims/new/", claims.add_claim, name="add"),
]
