"""Clauses that a planted fault violates besides the clause that its finding cites, by rule pack, code and case.

The finding cites one clause. A definition or the head of a list that the same fault violates is named here, so that the
clause matrix can count it.
"""

from __future__ import annotations

NSW, SKYCITY = "nsw-sic-bo", "skycity-big-and-small"
ANY_CASE = "*"

FURTHER_CLAUSES: dict[tuple[str, str, str], tuple[str, ...]] = {
    # Who is meant by the supervisor that decides.
    (NSW, "DISPUTE-DECIDER", ANY_CASE): ("1.1 games supervisor",),
    (NSW, "DISPUTE-RANK", ANY_CASE): ("1.1 casino supervisor",),
    (SKYCITY, "DISPUTE-RANK", "disputes arising from the rules"): ("8.i",),
    # Lists of prohibited prizes and of required terms.
    (NSW, "PROMO-PROHIBITED", ANY_CASE): ("10.5",),
    (NSW, "PROMO-INCOMPLETE", ANY_CASE): ("10.7",),
    # Methods of notifying a winner.
    (NSW, "PROMO-WINNER-LATE", "face-to-face"): ("10.8.1",),
    (NSW, "PROMO-WINNER-LATE", "mail"): ("10.8.2",),
    (NSW, "PROMO-WINNER-LATE", "telephone"): ("10.8.3",),
    (NSW, "PROMO-WINNER-LATE", "email"): ("10.8.4",),
    # What a supervisor may do about misconduct.
    (NSW, "SETTLE-SHOULD-BE-VOID", ANY_CASE): ("9.3",),
}


def further_clauses(rules: str, code: str, case: str) -> tuple[str, ...]:
    found = (FURTHER_CLAUSES.get((rules, code, key), ()) for key in (ANY_CASE, case))
    return tuple(clause for clauses in found for clause in clauses)
