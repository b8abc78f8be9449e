"""The witness: what an inspectorate runs on a machine of its own, to catch a history that was rewritten.

It follows a log from outside, checks that each checkpoint begins with the one before, and signs what it checked with a
key of its own. It needs neither PostgreSQL nor any secret of the service: `python -m rounds.witness`, or
`manage.py witness`, which is the same.

keys.py        the key file, and the note beside it of what was cosigned last
state.py       the SQLite file: the last checkpoint of each log, and what was refused
witnessing.py  the check itself: the one way to a cosignature
requests.py    what `add-checkpoint` is sent (C2SP tlog-witness);  serving.py answers it
asking.py      what is asked of the service and posted to it;  following.py one round of it
evidence.py    a bundle of evidence;  fetching.py the same from the service;  mirror.py entries kept, once proved
circumstances.py  what the log says of tables, rules and findings;  determined.py what people decided about rounds
readable.py    what each such entry must say to be read at all
governing.py   what governs one round;  seen.py the round beside it;  positions.py where wagers lay when betting closed
due.py         what a wager was due;  streaks.py a Super Streak
recomputing.py every settlement recomputed;  auditing.py cosigned by a second key, if all of them hold
command.py     init, trust, key, once, run, audit, status
"""
