"""A casino floor that plays rounds, honest or with faults planted on purpose, and the reference controller client.

Pure, from one seed to the same bytes:
set_up.py         what a table is;  state.py  what it remembers from round to round
events.py         a round's events in its rule set's own order;  irregularities.py  rounds without a result
players.py        people with habits;  second_thoughts.py  wagers changed in time;  paying.py  what is handed back
round_of_play.py  one round;  at_play.py  a table through its day;  days.py  whole gaming days
staging.py        rounds to order, where an ordinary day has no room for a fault
said.py           what a controller says, its numbers, its delivery, and the truth about what was planted
faults/           one injector for each finding that a table can bring about;  chosen.py  which of them are wanted

Into the service:
people/           faults in what people of the house record, through the services they use
client/           the reference controller client: what a table controller has to do, readable in ten minutes
feeding.py        a table's controller on the wire;  playing.py  whole days sent;  live.py  a floor beside the clock
in_process.py     the same interface without a server;  turns.py  one program at a time speaks for a table
floor_set_ups.py  set-ups from the floor's dated facts;  joining.py  keys, numbers and the service's address
"""
