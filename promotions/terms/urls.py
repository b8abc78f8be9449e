from django.urls import URLPattern, URLResolver, include, path

from promotions.terms.views import filing, prizes, promotions, public, registers, stopping, wizard

app_name = "terms"

of_a_draft = [
    path("", wizard.draft, name="draft"),
    path("steps/<slug:item>/", wizard.step, name="draft-step"),
    path("prizes/", prizes.prizes, name="draft-prizes"),
    path("prizes/new/", prizes.choose_type, name="prize-new"),
    path("prizes/new/<slug:type>/", prizes.add, name="prize-add"),
    path("prizes/<int:prize>/", prizes.prize, name="prize"),
    path("prizes/<int:prize>/remove/", prizes.remove, name="prize-remove"),
    path("preview/", wizard.preview, name="preview"),
    path("file/", filing.file, name="file"),
    path("amendment/", filing.ask, name="ask"),
    path("discard/", wizard.discard, name="discard"),
]

of_a_promotion: list[URLPattern | URLResolver] = [
    path("", promotions.promotion, name="promotion"),
    path("change/", promotions.change, name="change"),
    path("postpone/", stopping.postpone, name="postpone"),
    path("validate/", stopping.validate, name="validate"),
    path("material/", registers.materials, name="materials"),
    path("material/new/", registers.record, name="record-material"),
    path("versions/<int:version>/", filing.version, name="version"),
    path("versions/<int:version>/filing.pdf", filing.pdf, name="pdf"),
    path("versions/<int:version>/decide/", filing.decide, name="decide"),
]

of_a_casino: list[URLPattern | URLResolver] = [
    path("all/", promotions.every, name="promotions"),
    path("drafts/new/", wizard.begin, name="begin"),
    path("drafts/<int:draft>/", include(of_a_draft)),
    path("prescribed/", registers.prescribed, name="prescribed"),
    path("prescribed/new/", registers.prescribe, name="prescribe"),
    path("prescribed/<int:item>/remove/", registers.unprescribe, name="unprescribe"),
    path("attachments/<slug:sha256>/", registers.attachment, name="attachment"),
    path("<int:promotion>/", include(of_a_promotion)),
]

urlpatterns = [
    path("promotions/", promotions.casinos, name="casinos"),
    path("casinos/<slug:casino>/promotions/", include(of_a_casino)),
    path("promotions/<slug:casino>/<int:promotion>/", public.terms_now, name="public-now"),
    path("promotions/<slug:casino>/<int:promotion>/<int:version>/", public.terms, name="public"),
    path("promotions/<slug:casino>/<int:promotion>/<int:version>/qr.svg", public.qr, name="qr"),
]
