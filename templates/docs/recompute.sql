SELECT w.casino, w.gaming_day, w.entry_index, w.table, w.wager, w.bet,
    CAST(w.stake_cents * p.gives / p.denominator AS BIGINT) AS required_cents,
    w.returned_cents + w.later_cents AS found_cents,
    w.due_cents, w.audit, w.code
FROM wagers w
LEFT JOIN payouts p ON p.terms = w.terms AND p.outcome = w.outcome AND p.bet = w.bet
WHERE w.settled_by = 'odds'
    AND (
        p.gives IS NULL
        OR (w.returned_cents + w.later_cents) * p.denominator <> w.stake_cents * p.gives
        OR w.due_cents * p.denominator <> w.stake_cents * p.gives
        OR w.audit = 'wrong'
    )
ORDER BY w.gaming_day, w.entry_index, w.wager;
