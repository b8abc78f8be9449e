"""PDFs of disputes.

file_sections.py    content of a dispute's file, the same for the file and for the report
dispute_file.py     the file as PDF, with the pictures attached and the proof of the disputed entry
outcome_letter.py   the inspector's letter to the patron
"""
