"""Terms of promotions: drafted in a wizard, frozen, filed with the Authority, amended only with its approval.

content/      terms as values, without the database
models/       Promotion, PromotionStep, TermsVersion, AmendmentDecision, Draft, Attachment, Material, PrescribedItem
services/     drafts, filing, amendments, integrity stops, registers
selectors.py  access_*, versions in force
forms/        wizard steps, prizes, actions
views/        pages;  pdf.py  the filing as PDF;  emails.py  to the Authority and the casino
verify.py     compares rows with their entries;  entry_kinds.py, help_page.py, urls.py, apps.py
"""
