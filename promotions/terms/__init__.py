"""Terms of promotions: drafted in a wizard, frozen, filed with the Authority, amended only with its approval.

content.py       the terms as a value: answers by item of the rule pack, and prizes
prizes.py        kinds of prizes, their details, what no prize may include
completeness.py  what is still missing, each with its clause; what contradicts itself; what counsel should see
filing_clock.py  the latest moment to file, and whether a filing was in time
wording.py       the terms as patrons read them: one text for preview, public page and PDF
comparing.py     old and new terms side by side
models.py        Promotion, TermsVersion, AmendmentDecision, Draft, Attachment, Material, PrescribedItem
services/        drafting, filing, amending, prescribing, referencing
selectors.py     access_*, which version is in force
steps.py         the pages of the wizard;  prize_forms.py  those of a prize
"""
