from django.urls import URLPattern, URLResolver, include, path

from compliance.disputes.views import acts, dispute, inspecting, levels, lists, logging

app_name = "disputes"

of_a_dispute = [
    path("", dispute.dispute, name="dispute"),
    path("decide/", acts.decide, name="decide"),
    path("decision-made/", acts.record_made, name="record-decision"),
    path("tell/", acts.tell, name="tell"),
    path("review/", acts.review, name="review"),
    path("pay/", acts.pay, name="pay"),
    path("advise/", acts.advise, name="advise"),
    path("advice/", dispute.advice, name="advice"),
    path("advice/qr.svg", dispute.advice_qr, name="advice-qr"),
    path("withdraw/", acts.withdraw, name="withdraw"),
    path("close/", acts.close, name="close"),
    path("close-without-advice/", acts.end_unadvised, name="end-unadvised"),
    path("complaint/", acts.complain, name="complain"),
    path("attach/", acts.attach, name="attach"),
    path("files/<int:attachment>/", dispute.attachment, name="attachment"),
    path("patron/", dispute.patron, name="patron"),
    path("file.pdf", dispute.file_pdf, name="file"),
    path("note/", inspecting.note, name="note"),
    path("ask/", inspecting.ask, name="ask"),
    path("ask/<int:asked>/answer/", inspecting.answer, name="answer"),
    path("outcome/", inspecting.determine, name="determine"),
    path("letter/", inspecting.letter, name="letter"),
    path("letter.pdf", dispute.letter_pdf, name="letter-pdf"),
]

of_a_casino: list[URLPattern | URLResolver] = [
    path("", lists.disputes, name="disputes"),
    path("new/", logging.tables, name="new"),
    path("new/tables/<slug:table>/", logging.rounds, name="new-round"),
    path("new/promotions/", logging.promotions, name="new-promotion"),
    path("new/<int:index>/", logging.new, name="new-dispute"),
    path("new/<int:index>/draft/", logging.draft, name="draft"),
    path("new/<int:index>/discard/", logging.discard, name="discard"),
    path("about/<int:index>/", lists.about, name="about"),
    path("repeated/", lists.repeats, name="repeats"),
    path("repeated/<slug:by>.svg", lists.repeats_chart, name="repeats-chart"),
    path("times/", levels.levels, name="levels"),
    path("times/own-procedure/", levels.procedure, name="procedure"),
    path("times/<slug:wait>/", levels.set_level, name="set-level"),
    path("<int:number>/", include(of_a_dispute)),
]

urlpatterns = [
    path("disputes/", lists.casinos, name="casinos"),
    path("casinos/<slug:casino>/disputes/", include(of_a_casino)),
]
