"""Append-only trigger for records of conduct."""

from django.db import migrations

GUARDS = """
CREATE FUNCTION conduct_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of % is refused: it is kept as it was written', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER conduct_act_only_grows BEFORE UPDATE OR DELETE ON conduct_conductact
    FOR EACH ROW EXECUTE FUNCTION conduct_refuse_change();
ALTER TABLE conduct_conductact ENABLE ALWAYS TRIGGER conduct_act_only_grows;
"""
UNDO = """
DROP TRIGGER conduct_act_only_grows ON conduct_conductact;
DROP FUNCTION conduct_refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [("conduct", "0001_conduct")]
    operations = [migrations.RunSQL(GUARDS, UNDO)]
