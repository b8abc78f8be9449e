"""Of the decisions on an amendment one stands at a time; a withdrawn one may be followed by another. A step of a
postponed promotion follows the last one that was not withdrawn; numbers count all steps."""

import django.db.models.deletion
from django.db import migrations, models

ONE_DECISION = """
CREATE TRIGGER terms_one_stands BEFORE INSERT ON terms_amendmentdecision
    FOR EACH ROW EXECUTE FUNCTION ledger_one_stands('version_id');
ALTER TABLE terms_amendmentdecision ENABLE ALWAYS TRIGGER terms_one_stands;
"""
IN_ORDER = """
CREATE OR REPLACE FUNCTION terms_stops_in_order() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    newest integer;
    standing text;
BEGIN
    SELECT coalesce(max(step), 0) INTO newest FROM terms_promotionstep WHERE promotion_id = NEW.promotion_id;
    SELECT after INTO standing FROM terms_promotionstep
        WHERE promotion_id = NEW.promotion_id {condition} ORDER BY step DESC LIMIT 1;
    IF NEW.step <> newest + 1 OR NEW.before <> coalesce(standing, 'sound')
       OR (NEW.before, NEW.act, NEW.after) NOT IN (
        ('sound', 'postponed', 'postponed'), ('postponed', 'validated', 'sound')
    ) THEN
        RAISE EXCEPTION 'a promotion that is % cannot be %', coalesce(standing, 'sound'), NEW.act
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
"""
STANDING = "AND NOT ledger_is_taken_back(log, entry_index)"


class Migration(migrations.Migration):
    dependencies = [("terms", "0003_stops"), ("ledger", "0006_one_standing_row")]
    operations = [
        migrations.AlterField(
            "amendmentdecision",
            "version",
            models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="decisions", to="terms.termsversion"
            ),
        ),
        migrations.RunSQL(ONE_DECISION, "DROP TRIGGER terms_one_stands ON terms_amendmentdecision;"),
        migrations.RunSQL(IN_ORDER.format(condition=STANDING), IN_ORDER.format(condition="")),
    ]
