"""Disputes: from the patron's complaint to the last step of the ladder, with the answer already worked out.

ladder.py       who decides, in which order, and of which right the patron is advised: pack data
states.py       where a dispute stands, and which step leads from where to where
said.py         what each step says;  kinds.py  the entries
models.py       Dispute, Step, wagers, statement, files, inspector's notes, service levels, drafts
subjects.py     what is disputed: an entry of the ledger;  promoted.py  one about a promotion, in words
reckoning.py    what the rules give for a round's wagers
services/       every act;  recording.py  a step, its entry and its row together
clocks.py       how long each wait may last
attachments.py  files, known by their content;  kept.py  notes and files held to what the ledger says of them
standing.py     which roles may do what;  selectors.py  what others read
views/, forms.py  the pages;  telling.py  steps in words;  paper/  file and letter as PDF;  guide.py  the help page
reminding.py    disputes that wait for too long;  tasks.py  what is rung;  demo.py  a few disputes for the demo
"""
