"""Intake as a web developer would write it in an afternoon: two tables, a ModelSerializer, bulk_create.

site.py    a Django project of its own, as small as it can be: no session, no middleware
models.py  rounds and their wagers;  views.py  a batch in, and one row in
"""
