"""The pages of disputes.

lists.py       a casino's disputes, those about one entry, how often they repeat
logging.py     logging a dispute on a tablet, with its draft
dispute.py     the file, its attachments, the patron's details, the advice to hand over, the PDFs
acts.py        the operator's steps, each a page that asks first
inspecting.py  the inspector's steps
levels.py      service levels and the operator's own procedure
"""
