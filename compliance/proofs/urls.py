from django.urls import include, path

from compliance.proofs.views import made, public

app_name = "proofs"

of_a_casino = [
    path("", made.proofs, name="proofs"),
    path("<int:proof>/", made.proof, name="proof"),
    path("<int:proof>/sheet.pdf", made.sheet, name="sheet"),
    path("<int:proof>/wager-proof.json", made.file, name="file"),
    path("<int:proof>/withdraw/", made.withdraw, name="withdraw"),
]

urlpatterns = [
    path("wager-proofs/", made.casinos, name="casinos"),
    path("casinos/<slug:casino>/wager-proofs/", include(of_a_casino)),
    path("casinos/<slug:casino>/rounds/<int:index>/wagers/<str:wager>/proof/", made.make, name="make"),
    # Short: it is printed on the sheet, and typed.
    path("wager/", public.check, name="check"),
    path("wager/wager-proof.json", public.file, name="checked-file"),
    path("wager/verify_wager.py", public.verifier, name="verifier"),
]
