"""Web pages of findings, coverage and checks (views.py), the page of a clause with its cases (clause_page.py) in
words (record_text.py), the filter form (forms.py), the help page of codes (help_page.py),
the progress of a prediction in the background (prediction_state.py)."""
