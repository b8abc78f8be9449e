"""Makes witnesses, cosignatures and disagreements append-only."""

from django.db import migrations

TABLES = ("witness", "witnessend", "cosignature", "dissent")
GUARDS = """
CREATE FUNCTION witnesses_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of % is refused: it is kept as it was written', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;
""" + "".join(
    f"""
CREATE TRIGGER witnesses_{table}_only_grows BEFORE UPDATE OR DELETE ON witnesses_{table}
    FOR EACH ROW EXECUTE FUNCTION witnesses_refuse();
ALTER TABLE witnesses_{table} ENABLE ALWAYS TRIGGER witnesses_{table}_only_grows;
"""
    for table in TABLES
)
REMOVE = "DROP FUNCTION witnesses_refuse CASCADE;"


class Migration(migrations.Migration):
    dependencies = [("witnesses", "0001_initial")]
    operations = [migrations.RunSQL(GUARDS, REMOVE)]
