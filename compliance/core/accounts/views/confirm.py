"""The confirmation page of acts on accounts. They are not pre-checked: no check of the audit reads them, and some
change the session, which a plan cannot undo."""

from functools import partial

from compliance.core.web.ui.confirm_page import confirm_page

confirm_account_page = partial(confirm_page, is_prechecked=False)
