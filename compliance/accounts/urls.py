from django.urls import include, path

from compliance.accounts.views import account, acts, invitations, password, people, second_factor, sign_in

app_name = "accounts"

people_of_a_casino = [
    path("", people.people, name="people"),
    path("sign-ins.svg", people.chart, name="people-chart"),
    path("invite/", invitations.invite, name="invite"),
    path("invitations/", invitations.invitations, name="invitations"),
    path("invitations/<int:invitation>/again/", invitations.again, name="invite-again"),
    path("invitations/<int:invitation>/withdraw/", invitations.withdraw, name="withdraw"),
    path("<int:person>/", people.person, name="person"),
    path("<int:person>/roles/give/", acts.give, name="give-role"),
    path("<int:person>/roles/<int:role>/end/", acts.end, name="end-role"),
    path("<int:person>/disable/", acts.disable, name="disable"),
    path("<int:person>/enable/", acts.enable, name="enable"),
    path("<int:person>/second-factor/reset/", acts.reset_factor, name="reset-factor"),
    path("<int:person>/unlock/", acts.unlock, name="unlock"),
]

urlpatterns = [
    path("sign-in/", sign_in.sign_in, name="sign-in"),
    path("sign-in/code/", sign_in.code, name="code"),
    path("sign-in/second-factor/", second_factor.enrol, name="enrol"),
    path("sign-in/second-factor/qr.svg", second_factor.qr, name="enrol-qr"),
    path("sign-out/", sign_in.sign_out, name="sign-out"),
    path("password/forgotten/", password.forgotten, name="forgotten"),
    path("password/forgotten/sent/", password.forgotten_sent, name="forgotten-sent"),
    path("password/reset/<str:who>/<str:token>/", password.reset, name="reset"),
    path("invitation/<str:token>/", invitations.accept, name="accept"),
    path("account/", account.account, name="account"),
    path("account/password/", password.change, name="change-password"),
    path("account/recovery-codes/", second_factor.new_codes, name="new-codes"),
    path("account/second-factor/", second_factor.replace, name="replace"),
    path("account/sign-out-everywhere/", account.everywhere, name="everywhere"),
    path("people/", people.casinos, name="casinos"),
    path("casinos/<slug:casino>/people/", include(people_of_a_casino)),
]
