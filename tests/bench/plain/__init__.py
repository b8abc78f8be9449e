"""A peer for intake, as a web developer would write it in an afternoon: two tables, a ModelSerializer, bulk_create.

site.py    a minimal Django project, without sessions and middleware
models.py  rounds and their wagers;  views.py  receives a batch, or one row
"""
