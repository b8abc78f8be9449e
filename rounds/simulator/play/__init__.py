"""One table's honest play: pure, the same seed gives the same bytes.

table_config.py       what a table is: rules, limits, odds, equipment, terminals
table_state.py        what a table carries from round to round
players.py            players and their betting habits;  wager_changes.py  changes before betting closes
round_events.py       a round's events in the order of its rules;  void_rounds.py  rounds without a result
dealer.py             settles wagers, by asking the engine
honest_round.py       one round;  table_day.py  a table's gaming day;  gaming_days.py  whole days from a seed
staged_rounds.py      a void round or a rare result made to order, for injectors
controller_output.py  the lines a controller reports, their numbering and delivery; the truth about planted faults
"""
