"""Triggers: examinations, signals and acknowledgements are append-only."""

from django.db import migrations

TABLES = ("fairness_examination", "fairness_signal", "fairness_signalseen")

GUARDS = """
CREATE FUNCTION fairness_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of % is refused: it is kept as it was written', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;
""" + "".join(
    f"""
CREATE TRIGGER {table}_only_grows BEFORE UPDATE OR DELETE ON {table}
    FOR EACH ROW EXECUTE FUNCTION fairness_refuse_change();
ALTER TABLE {table} ENABLE ALWAYS TRIGGER {table}_only_grows;
"""
    for table in TABLES
)
UNDO = (
    "".join(f"DROP TRIGGER {table}_only_grows ON {table};\n" for table in TABLES)
    + "DROP FUNCTION fairness_refuse_change();"
)


class Migration(migrations.Migration):
    dependencies = [("fairness", "0001_fairness")]
    operations = [migrations.RunSQL(GUARDS, UNDO)]
