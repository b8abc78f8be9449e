"""Use cases that change accounts. Each function is one transaction, records one event and raises typed refusals.

roles.py         give and end roles
people.py        disable, enable, suspend, reset the second factor, unlock
invitations.py   invite, send again, withdraw, accept; the first casino of an installation
identities.py    single sign-on: offer, link, remove
own_account.py   what people do to their own account: second factor, password, sign out everywhere
"""

from compliance.core.accounts.ledger.account_events import record_failed_sign_in, record_sign_in, record_sign_out
from compliance.core.accounts.services.identities import link_identity, offer_identity, remove_identity
from compliance.core.accounts.services.invitations import (
    SentInvitation,
    accept_as_known_person,
    accept_as_new_person,
    bootstrap_casino,
    invite_person,
    send_invitation_again,
    withdraw_invitation,
)
from compliance.core.accounts.services.own_account import (
    change_password,
    enrol_second_factor,
    make_recovery_codes,
    remove_second_factor,
    request_password_reset,
    reset_password,
    sign_out_everywhere,
)
from compliance.core.accounts.services.people import (
    disable_person,
    enable_person,
    reset_second_factor,
    reset_second_factor_by_operator,
    suspend_people_of_both_sides,
    unlock_sign_in,
)
from compliance.core.accounts.services.roles import end_role, give_role

__all__ = [
    "SentInvitation",
    "accept_as_known_person",
    "accept_as_new_person",
    "bootstrap_casino",
    "change_password",
    "disable_person",
    "enable_person",
    "end_role",
    "enrol_second_factor",
    "give_role",
    "invite_person",
    "link_identity",
    "make_recovery_codes",
    "offer_identity",
    "record_failed_sign_in",
    "record_sign_in",
    "record_sign_out",
    "remove_identity",
    "remove_second_factor",
    "request_password_reset",
    "reset_password",
    "reset_second_factor",
    "reset_second_factor_by_operator",
    "send_invitation_again",
    "sign_out_everywhere",
    "suspend_people_of_both_sides",
    "unlock_sign_in",
    "withdraw_invitation",
]
