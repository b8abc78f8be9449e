"""PDFs of disputes.

page_layout.py      styles, tables, header and footer
dispute_file.py     the whole file of a dispute, with the settlement recalculated and the proof of its entry
outcome_letter.py   the inspector's letter to the patron
"""
