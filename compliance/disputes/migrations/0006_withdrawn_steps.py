"""A step can be withdrawn: a dispute goes back to the state before it, and a rung can be decided anew."""

from django.db import migrations

FOLLOW = """
-- The same table as states.NEXT_STATES: a test compares them.
CREATE OR REPLACE FUNCTION disputes_may_follow(before text, after text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT before = after OR (before, after) IN ({forward}) {backward}
$$;
"""
FORWARD = """
        ('waiting', 'decided'), ('waiting', 'closed'), ('waiting', 'with-inspector'),
        ('decided', 'told'), ('decided', 'closed'), ('decided', 'with-inspector'),
        ('told', 'waiting'), ('told', 'closed'), ('told', 'with-inspector'),
        ('with-inspector', 'determined'),
        ('determined', 'closed'),
        ('closed', 'with-inspector')
"""
ONE_STANDS = """
CREATE TRIGGER disputes_one_stands BEFORE INSERT ON disputes_step
    FOR EACH ROW WHEN (NEW.kind = 'dispute-decided')
    EXECUTE FUNCTION ledger_one_stands('dispute_id', 'rung', 'kind');
ALTER TABLE disputes_step ENABLE ALWAYS TRIGGER disputes_one_stands;
"""


class Migration(migrations.Migration):
    dependencies = [("disputes", "0005_government_administrators"), ("ledger", "0006_one_standing_row")]

    operations = [
        migrations.RunSQL(
            FOLLOW.format(forward=FORWARD, backward=f"OR (after, before) IN ({FORWARD})"),
            FOLLOW.format(forward=FORWARD, backward=""),
        ),
        migrations.RemoveConstraint("step", "disputes_rung_decided_once"),
        migrations.RunSQL(ONE_STANDS, "DROP TRIGGER disputes_one_stands ON disputes_step;"),
    ]
