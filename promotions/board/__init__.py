"""Board and calendar of promotions, assembled from terms, draws and claims.

calendar.py  dated events of a casino's promotions
views.py     both pages
"""
