from django.urls import include, path

from compliance.transparency.wager_proofs.views import proofs, public

app_name = "proofs"

casino_urls = [
    path("", proofs.proof_list, name="proofs"),
    path("<int:proof>/", proofs.proof_detail, name="proof"),
    path("<int:proof>/sheet.pdf", proofs.download_pdf, name="sheet"),
    path("<int:proof>/wager-proof.json", proofs.download_file, name="file"),
    path("<int:proof>/withdraw/", proofs.withdraw_wager_proof, name="withdraw"),
]

urlpatterns = [
    path("wager-proofs/", proofs.choose_proofs_casino, name="casinos"),
    path("casinos/<slug:casino>/wager-proofs/", include(casino_urls)),
    path("casinos/<slug:casino>/rounds/<int:index>/wagers/<str:wager>/proof/", proofs.make_wager_proof, name="make"),
    # Short, because it is printed on the sheet and typed.
    path("wager/", public.check_by_code, name="check"),
    path("wager/wager-proof.json", public.download_proof_file, name="checked-file"),
    path("wager/verify_wager.py", public.download_verifier, name="verifier"),
]
