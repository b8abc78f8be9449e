from django.urls import include, path

from compliance.core.accounts.views import (
    account,
    identities,
    invitations,
    password,
    people,
    person_actions,
    second_factor,
    sign_in,
    single_sign_on,
)

app_name = "accounts"

casino_people_urls = [
    path("", people.list_people, name="people"),
    path("sign-ins.svg", people.sign_in_chart_svg, name="people-chart"),
    path("invite/", invitations.invite, name="invite"),
    path("invitations/", invitations.list_invitations, name="invitations"),
    path("invitations/<int:invitation>/again/", invitations.resend_invitation, name="invite-again"),
    path("invitations/<int:invitation>/withdraw/", invitations.withdraw_page, name="withdraw"),
    path("<int:person>/", people.show_person, name="person"),
    path("<int:person>/roles/give/", person_actions.give_role_page, name="give-role"),
    path("<int:person>/roles/<int:role>/end/", person_actions.end_role_page, name="end-role"),
    path("<int:person>/disable/", person_actions.disable_person_page, name="disable"),
    path("<int:person>/enable/", person_actions.enable_person_page, name="enable"),
    path("<int:person>/second-factor/reset/", person_actions.reset_second_factor_page, name="reset-factor"),
    path("<int:person>/unlock/", person_actions.unlock_sign_in_page, name="unlock"),
    path("<int:person>/single-sign-on/<slug:provider>/offer/", identities.offer_link, name="offer-identity"),
    path("<int:person>/single-sign-on/<int:link>/remove/", identities.remove_link, name="remove-identity"),
]

urlpatterns = [
    path("sign-in/", sign_in.sign_in, name="sign-in"),
    path("sign-in/code/", sign_in.enter_code, name="code"),
    path("sign-in/second-factor/", second_factor.enrol, name="enrol"),
    path("sign-in/second-factor/qr.svg", second_factor.enrolment_qr_image, name="enrol-qr"),
    path("sign-in/required/", single_sign_on.provider_required, name="provider-owed"),
    path("sign-in/by/<slug:provider>/", single_sign_on.redirect_to_provider, name="begin-journey"),
    path("sign-in/by/<slug:provider>/back/", single_sign_on.provider_callback, name="end-journey"),
    path("sign-out/", sign_in.sign_out, name="sign-out"),
    path("sign-out/done/<slug:provider>/", single_sign_on.signed_out_page, name="signed-out"),
    path("password/forgotten/", password.request_reset, name="forgotten"),
    path("password/forgotten/sent/", password.reset_email_sent, name="forgotten-sent"),
    path("password/reset/<str:who>/<str:token>/", password.reset_by_link, name="reset"),
    path("invitation/<str:token>/", invitations.accept_invitation, name="accept"),
    path("account/", account.show_account, name="account"),
    path("account/password/", password.change_own_password, name="change-password"),
    path("account/recovery-codes/", second_factor.new_recovery_codes, name="new-codes"),
    path("account/second-factor/", second_factor.replace_device, name="replace"),
    path("account/single-sign-on/link/", identities.confirm_link, name="link-identity"),
    path("account/single-sign-on/<int:link>/remove/", identities.remove_own_identity, name="remove-own-identity"),
    path("account/sign-out-everywhere/", account.confirm_sign_out_everywhere, name="everywhere"),
    path("people/", people.choose_people_casino, name="casinos"),
    path("casinos/<slug:casino>/people/", include(casino_people_urls)),
]
