"""Records of conduct: refused wagers, voided wagers, invalidated outcomes, forfeits and exclusions, players who touch
wagers or bet in partnership, and the request to a player who does not bet.

Names and descriptions of patrons are stored in compliance/privacy/personal_data. The entry carries
a digest of it, the grounds from a closed list, the seat or mark of the day, and the rounds.

models.py     ConductAct
sorts.py      each sort of act: its clause and rank by the rules in force, its grounds
services.py   record_conduct
selectors.py  access_act, idle_rounds
forms.py      one form, with the fields that a sort of act asks for
views.py      the register, recording, one act
"""
