"""What would this pay? The calculator that a supervisor uses at a table, on a tablet, with a patron waiting.

at_hand.py     the rules it reckons by: the casino's approved versions, or while there are none the shipped packs
question.py    what a document asks about a wager; the wager settled, and how it would be under other readings
words.py       boxes, void reasons and steps in the words of a floor
forms.py       the questions as a form that is sent by GET, so that an answer has an address
shown.py       an answer in the words of the page;  views.py  the page
"""
