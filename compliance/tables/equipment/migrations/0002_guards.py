"""Append-only triggers for people's records about equipment."""

from django.db import migrations

TABLES = ("equipment_personsline", "equipment_returntoplay", "equipment_voidset")

GUARDS = """
CREATE FUNCTION equipment_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of % is refused: it is kept as it was written', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;
""" + "".join(
    f"""
CREATE TRIGGER {table}_only_grows BEFORE UPDATE OR DELETE ON {table}
    FOR EACH ROW EXECUTE FUNCTION equipment_refuse_change();
ALTER TABLE {table} ENABLE ALWAYS TRIGGER {table}_only_grows;
"""
    for table in TABLES
)
UNDO = (
    "".join(f"DROP TRIGGER {table}_only_grows ON {table};\n" for table in TABLES)
    + "DROP FUNCTION equipment_refuse_change();"
)


class Migration(migrations.Migration):
    dependencies = [("equipment", "0001_equipment")]
    operations = [migrations.RunSQL(GUARDS, UNDO)]
