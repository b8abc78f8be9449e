from django.urls import URLPattern, URLResolver, include, path

from promotions.terms.views import filing, postponements, prizes, promotions, public, registers, wizard

app_name = "terms"

draft_urls = [
    path("", wizard.draft, name="draft"),
    path("steps/<slug:item>/", wizard.step, name="draft-step"),
    path("prizes/", prizes.prizes, name="draft-prizes"),
    path("prizes/new/", prizes.choose_type, name="prize-new"),
    path("prizes/new/<slug:type>/", prizes.add_prize, name="prize-add"),
    path("prizes/<int:prize>/", prizes.edit_prize, name="prize"),
    path("prizes/<int:prize>/remove/", prizes.remove_prize, name="prize-remove"),
    path("preview/", wizard.preview, name="preview"),
    path("file/", filing.file_draft, name="file"),
    path("amendment/", filing.new_amendment, name="ask"),
    path("discard/", wizard.discard, name="discard"),
]

promotion_urls: list[URLPattern | URLResolver] = [
    path("", promotions.promotion, name="promotion"),
    path("change/", promotions.draft_next_version, name="change"),
    path("postpone/", postponements.postpone, name="postpone"),
    path("validate/", postponements.validate, name="validate"),
    path("material/", registers.materials, name="materials"),
    path("material/new/", registers.new_material, name="record-material"),
    path("versions/<int:version>/", filing.version, name="version"),
    path("versions/<int:version>/filing.pdf", filing.version_pdf, name="pdf"),
    path("versions/<int:version>/decide/", filing.amendment_decision, name="decide"),
]

casino_urls: list[URLPattern | URLResolver] = [
    path("all/", promotions.promotion_list, name="promotions"),
    path("drafts/new/", wizard.new_draft, name="begin"),
    path("drafts/<int:draft>/", include(draft_urls)),
    path("prescribed/", registers.prescribed_items, name="prescribed"),
    path("prescribed/new/", registers.add_item, name="prescribe"),
    path("prescribed/<int:item>/remove/", registers.remove_item, name="unprescribe"),
    path("attachments/<slug:sha256>/", registers.attachment, name="attachment"),
    path("<int:promotion>/", include(promotion_urls)),
]

urlpatterns = [
    path("promotions/", promotions.casinos, name="casinos"),
    path("casinos/<slug:casino>/promotions/", include(casino_urls)),
    path("promotions/<slug:casino>/<int:promotion>/", public.current_terms, name="public-now"),
    path("promotions/<slug:casino>/<int:promotion>/<int:version>/", public.public_terms, name="public"),
    path("promotions/<slug:casino>/<int:promotion>/<int:version>/qr.svg", public.terms_qr_code, name="qr"),
]
