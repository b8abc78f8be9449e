"""Marketing's records: promotion terms and their filing, draws and winners, claims and denials (NSW 10).

terms/        what is offered: the wizard, frozen versions, filing, amendments, where the terms are referenced
draws/        how it was drawn: draws, scrutineers, integrity stops, winners and their notification
claims/       how it ended: claims, decisions, payments, denials and the letters about them
duties.py     what the casino's rule set asks of promotions; None where it is silent
standing.py   which roles write and read here
recording.py  PromotionRecord: a row that stands for one entry, written once
deadlines.py  days that end at midnight and roll over weekends and holidays
figures.py    figures that the rules leave open: from when on something is flagged
integrity.py  telling the inspectorate of a draw or promotion in doubt
guards.py     the triggers that keep rows as they were written
printing.py   the paper that all PDFs share
board.py      the board and the calendar: pages made of all three
"""
