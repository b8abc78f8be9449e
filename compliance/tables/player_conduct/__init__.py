"""Records of conduct: refused wagers, voided wagers, invalidated outcomes, forfeits and exclusions, players who touch
wagers or bet in partnership, and the request to a player who does not bet.

models.py     ConductAct
act_types.py  each type of act: its clause and required role under the rules in force, its grounds
services.py   record_conduct
selectors.py  access_act, find_round, idle_rounds
forms.py      one form, with the fields that the act type needs
views.py      register, recording, one act
entry_kinds.py, errors.py, urls.py, apps.py, demo.py

Names and descriptions of patrons are stored in compliance/privacy/personal_data. The entry carries a digest of them,
grounds from a closed list, the seat or the day's pseudonym, and the rounds.
"""
