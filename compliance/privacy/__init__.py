"""Personal data of patrons.

personal_data/   patrons' details: storage outside the ledger, audited reads, retention, destruction
access_log/      who saw or exported what: exported lists, downloaded files, API reads, reads of details
"""
