from django.urls import include, path

from promotions.claims.views import claims, register

app_name = "claims"

of_a_claim = [
    path("", claims.claim, name="claim"),
    path("meet/", claims.meet, name="meet"),
    path("deny/", claims.deny, name="deny"),
    path("told/", claims.tell, name="tell"),
    path("pay/", claims.pay, name="pay"),
    path("letter/", claims.letter, name="letter"),
]

urlpatterns = [
    path("casinos/<slug:casino>/promotions/claims/", claims.claims, name="claims"),
    path("casinos/<slug:casino>/promotions/claims/denied/", register.denied, name="denied"),
    path("casinos/<slug:casino>/promotions/claims/denied.csv", register.export, name="denied-csv"),
    path("casinos/<slug:casino>/promotions/claims/<int:claim>/", include(of_a_claim)),
    path("casinos/<slug:casino>/promotions/<int:promotion>/claims/new/", claims.add, name="add"),
]
