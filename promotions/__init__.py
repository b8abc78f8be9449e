"""Marketing's records of trade promotions (NSW 10). One app each for terms, draws and claims.

terms/    what is offered: drafting wizard, frozen versions, filing, amendments, marketing material
draws/    draws, scrutineers, integrity stops, winners and their notification
claims/   claims of prizes, decisions, payments, denials and the letters about them
board/    board and calendar, assembled from all three
shared/   rule duties, deadlines, permissions, errors, base model and triggers, PDF layout
urls.py   the URLs of all of them;  demo.py  demo records
"""
