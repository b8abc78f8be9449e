"""Makes the statements of losses append-only."""

from django.db import migrations

GUARDS = """
CREATE FUNCTION restores_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of % is refused: it is kept as it was written', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER restores_epochbegun_only_grows BEFORE UPDATE OR DELETE ON restores_epochbegun
    FOR EACH ROW EXECUTE FUNCTION restores_refuse();
ALTER TABLE restores_epochbegun ENABLE ALWAYS TRIGGER restores_epochbegun_only_grows;
"""
REMOVE = "DROP FUNCTION restores_refuse CASCADE;"


class Migration(migrations.Migration):
    dependencies = [("restores", "0001_initial")]
    operations = [migrations.RunSQL(GUARDS, REMOVE)]
