"""Web pages of intake.

feeds.py              state of a casino's feeds
quarantine.py         quarantined lines
paper_rounds.py       rounds from paper
paper_form.py         the form for a round from paper;  paper_wager_rows.py  its rows of wagers
forms.py              forms of the other pages
"""
