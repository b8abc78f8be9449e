"""Pages about personal data.

records.py  which records there are, one record, who looked, what was destroyed, how long things are kept
acts.py     seeing the details, holding, destroying, setting the time
"""
