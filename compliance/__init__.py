"""People's records, judgements and publication.

config    settings, urls, Celery, the launcher behind `make run`
web       UI kit: components, forms renderer, errors, static files, charts, the bell
accounts  casinos, people, roles per casino, second factor, access
desk      pages made of many apps: home
"""
