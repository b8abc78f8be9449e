"""Intake: table controllers feed the ledger, and nothing that they send is lost.

kinds/          what they say, kind by kind, with schemas and examples; no Django
arriving.py     a request becomes a batch: headers, limits, gzip;  signing.py  what is signed
reading.py      its lines one by one: what each says, or why it is refused
services/       receiving batches, quarantine, refused signatures, silence, rounds from paper
feeds.py        where each feed stands;  limiting.py  how many batches a controller may send
origin.py       whose signature an entry came under, and that `verify_ledger` finds it so
door.py         past everything that is there for people
api.py          POST /api/v1/entries;  openapi.py, document.py  its document;  integrators.py  its help page
importing.py    past rounds from files;  paper_form.py, paper_wagers.py, views/, forms.py  pages for people
played.py       a round as a person reads it, with the rules that governed it: access_round
selectors.py    what others read: access_quarantined, feed_health;  recorded.py  the kinds of entries
tasks.py        watches the feeds;  ringing.py  wakes those who follow the log
"""
