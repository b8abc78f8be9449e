"""Code shared by terms, draws and claims.

duties.py                what the casino's rule pack requires of promotions; None if nothing
deadlines.py             days that end at midnight and roll over weekends and holidays
holiday_calendar.py      public holidays, with the casino's corrections
permissions.py           roles that write, read and decide
errors.py                refusals
integrity_alert.py       alert to the inspectorate for a draw or promotion in doubt
base_model.py            PromotionRecord;  append_only_triggers.py  its triggers
"""
