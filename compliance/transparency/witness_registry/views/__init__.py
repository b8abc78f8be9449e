"""witnesses.py  who watches a casino's log and how they stand; registering, ending; a statement as it was signed"""
