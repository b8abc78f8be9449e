"""Pages made of many apps.

waiting.py  what waits for a person: one provider a subject
views.py    the home page
"""
