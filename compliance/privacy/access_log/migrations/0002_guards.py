"""Append-only triggers for disclosures, and the database view over them and the reads of patrons' details."""

from django.db import migrations

GUARDS = """
CREATE FUNCTION disclosures_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of % is refused: it is kept as it was written', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER disclosures_only_grows BEFORE UPDATE OR DELETE ON disclosures_disclosure
    FOR EACH ROW EXECUTE FUNCTION disclosures_refuse();
CREATE TRIGGER disclosures_is_not_emptied BEFORE TRUNCATE ON disclosures_disclosure
    FOR EACH STATEMENT EXECUTE FUNCTION disclosures_refuse();
ALTER TABLE disclosures_disclosure ENABLE ALWAYS TRIGGER disclosures_only_grows;
ALTER TABLE disclosures_disclosure ENABLE ALWAYS TRIGGER disclosures_is_not_emptied;
"""

SEEN = """
CREATE VIEW disclosures_seen AS
    SELECT 'out-' || id AS id, casino_id, way, what, address, format, filters, rows, '' AS purpose, '' AS note,
           by_id, by_name, through, at, log, entry_index
    FROM disclosures_disclosure
    UNION ALL
    SELECT 'look-' || look.id, record.casino_id, 'look', 'Details ' || record.reference || ', record ' || record.id,
           '/casinos/' || look.log || '/personal-data/' || record.id || '/', '', '{}'::jsonb, NULL, look.purpose,
           look.note, look.by_id, look.by_name, '', look.at, look.log, look.entry_index
    FROM patrons_personallook look JOIN patrons_personalrecord record ON record.id = look.record_id;
"""

REMOVE = """
DROP VIEW disclosures_seen;
DROP TRIGGER disclosures_only_grows ON disclosures_disclosure;
DROP TRIGGER disclosures_is_not_emptied ON disclosures_disclosure;
DROP FUNCTION disclosures_refuse();
"""


class Migration(migrations.Migration):
    dependencies = [("disclosures", "0001_disclosures"), ("patrons", "0002_guarantees")]
    operations = [migrations.RunSQL(GUARDS + SEEN, REMOVE)]
