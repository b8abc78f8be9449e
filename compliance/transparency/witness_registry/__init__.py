"""Witnesses of a casino's log: registered keys, their cosignatures, and their disagreements.

A witness is a program of the inspectorate (`rounds.witness`). The government registers its key here; the program posts
cosignatures, and a signed statement if the log is inconsistent. Registrations and disagreements are entries of the log.
Cosignatures are not: each entry would need another cosignature.

models.py           Witness, WitnessEnd, Cosignature, Dissent
services.py         register_witness, end_witness, receive_cosignatures, receive_dissent, alert_lagging_witnesses
witness_status.py   a witness's state: agrees, behind, disagrees
selectors.py        permissions; the cosignature lines of a checkpoint
witness_api.py      where witnesses post
openapi.py          that API in the OpenAPI document
entry_kinds.py      kinds and rows
forms.py            register and end a witness
errors.py           refusals
health.py           check of the status page
tasks.py            Celery task: alerts for lagging witnesses
views/              the pages
"""
