from django.urls import URLPattern, URLResolver, include, path

from compliance.disputes.views import dispute, inspector_steps, lists, new_dispute, operator_steps, policies

app_name = "disputes"

dispute_urls = [
    path("", dispute.dispute, name="dispute"),
    path("decide/", operator_steps.decide, name="decide"),
    path("decision-made/", operator_steps.record_past_decision, name="record-decision"),
    path("tell/", operator_steps.notify_patron, name="tell"),
    path("review/", operator_steps.send_to_review, name="review"),
    path("pay/", operator_steps.pay_patron, name="pay"),
    path("advise/", operator_steps.advise, name="advise"),
    path("advice/", dispute.advice_sheet, name="advice"),
    path("advice/qr.svg", dispute.advice_qr, name="advice-qr"),
    path("withdraw/", operator_steps.withdraw, name="withdraw"),
    path("close/", operator_steps.close, name="close"),
    path("close-without-advice/", operator_steps.close_without_advice, name="end-unadvised"),
    path("complaint/", operator_steps.complain, name="complain"),
    path("attach/", operator_steps.attach, name="attach"),
    path("files/<int:attachment>/", dispute.attachment, name="attachment"),
    path("patron/", dispute.patron_details, name="patron"),
    path("file.pdf", dispute.file_pdf, name="file"),
    path("note/", inspector_steps.add_note, name="note"),
    path("ask/", inspector_steps.request_information, name="ask"),
    path("ask/<int:asked>/answer/", inspector_steps.reply_to_request, name="answer"),
    path("outcome/", inspector_steps.determine, name="determine"),
    path("letter/", inspector_steps.send_letter, name="letter"),
    path("letter.pdf", dispute.letter_pdf, name="letter-pdf"),
]

casino_dispute_urls: list[URLPattern | URLResolver] = [
    path("", lists.disputes, name="disputes"),
    path("new/", new_dispute.choose_table, name="new"),
    path("new/tables/<slug:table>/", new_dispute.choose_round, name="new-round"),
    path("new/matter/", new_dispute.describe_matter, name="new-matter"),
    path("new/promotions/", new_dispute.choose_promotion, name="new-promotion"),
    path("new/<int:index>/", new_dispute.new_dispute, name="new-dispute"),
    path("new/<int:index>/draft/", new_dispute.autosave_draft, name="draft"),
    path("new/<int:index>/discard/", new_dispute.confirm_discard, name="discard"),
    path("about/<int:index>/", lists.entry_disputes, name="about"),
    path("repeated/", lists.repeated_disputes, name="repeats"),
    path("repeated/<slug:by>.svg", lists.repeats_chart, name="repeats-chart"),
    path("times/", policies.service_levels, name="levels"),
    path("times/own-procedure/", policies.edit_own_procedure, name="procedure"),
    path("times/<slug:wait>/", policies.edit_service_level, name="set-level"),
    path("<int:number>/", include(dispute_urls)),
]

urlpatterns = [
    path("disputes/", lists.casinos, name="casinos"),
    path("casinos/<slug:casino>/disputes/", include(casino_dispute_urls)),
]
