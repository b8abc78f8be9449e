"""Pages of disputes.

lists.py             a casino's disputes, those about one entry, repeated disputes
new_dispute.py       logging a dispute on a tablet, with its draft
dispute.py           the dispute's page, attachments, patron's details, advice sheet, PDFs
next_steps.py        the buttons of that page
operator_steps.py    the operator's steps, each with a confirm page
inspector_steps.py   the inspector's steps
policies.py          service levels and the operator's own procedure
common.py            access rules that they share
"""
