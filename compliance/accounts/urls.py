from django.urls import include, path

from compliance.accounts.views import (
    account,
    acts,
    identities,
    invitations,
    password,
    people,
    second_factor,
    sign_in,
    single_sign_on,
)

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
    path("<int:person>/single-sign-on/<slug:provider>/offer/", identities.offer, name="offer-identity"),
    path("<int:person>/single-sign-on/<int:link>/remove/", identities.remove, name="remove-identity"),
]

urlpatterns = [
    path("sign-in/", sign_in.sign_in, name="sign-in"),
    path("sign-in/code/", sign_in.code, name="code"),
    path("sign-in/second-factor/", second_factor.enrol, name="enrol"),
    path("sign-in/second-factor/qr.svg", second_factor.qr, name="enrol-qr"),
    path("sign-in/required/", single_sign_on.owed, name="provider-owed"),
    path("sign-in/by/<slug:provider>/", single_sign_on.begin, name="begin-journey"),
    path("sign-in/by/<slug:provider>/back/", single_sign_on.back, name="end-journey"),
    path("sign-out/", sign_in.sign_out, name="sign-out"),
    path("sign-out/done/<slug:provider>/", single_sign_on.signed_out, name="signed-out"),
    path("password/forgotten/", password.forgotten, name="forgotten"),
    path("password/forgotten/sent/", password.forgotten_sent, name="forgotten-sent"),
    path("password/reset/<str:who>/<str:token>/", password.reset, name="reset"),
    path("invitation/<str:token>/", invitations.accept, name="accept"),
    path("account/", account.account, name="account"),
    path("account/password/", password.change, name="change-password"),
    path("account/recovery-codes/", second_factor.new_codes, name="new-codes"),
    path("account/second-factor/", second_factor.replace, name="replace"),
    path("account/single-sign-on/link/", identities.link, name="link-identity"),
    path("account/single-sign-on/<int:link>/remove/", identities.remove_own, name="remove-own-identity"),
    path("account/sign-out-everywhere/", account.everywhere, name="everywhere"),
    path("people/", people.casinos, name="casinos"),
    path("casinos/<slug:casino>/people/", include(people_of_a_casino)),
]
