"""Makes commitments and proofs append-only; each commitment must begin where the previous one ended."""

from django.db import migrations

TABLES = ("commitment", "proof", "withdrawal")
FUNCTIONS = """
CREATE FUNCTION proofs_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of % is refused: it is kept as it was written', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;

CREATE FUNCTION proofs_follow_on() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.first <> coalesce((SELECT max(last) FROM proofs_commitment WHERE log = NEW.log), 0) THEN
        RAISE EXCEPTION 'a commitment begins where the one before it ended' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER proofs_commitment_follows_on BEFORE INSERT ON proofs_commitment
    FOR EACH ROW EXECUTE FUNCTION proofs_follow_on();
ALTER TABLE proofs_commitment ENABLE ALWAYS TRIGGER proofs_commitment_follows_on;

ALTER TABLE proofs_commitment ADD CONSTRAINT proofs_commitment_is_whole
    CHECK (octet_length(key) = 32 AND octet_length(nodes) = 40 * rounds);
"""
GUARDS = "".join(
    f"""
CREATE TRIGGER proofs_{table}_only_grows BEFORE UPDATE OR DELETE ON proofs_{table}
    FOR EACH ROW EXECUTE FUNCTION proofs_refuse();
ALTER TABLE proofs_{table} ENABLE ALWAYS TRIGGER proofs_{table}_only_grows;
"""
    for table in TABLES
)
REMOVE = """
ALTER TABLE proofs_commitment DROP CONSTRAINT proofs_commitment_is_whole;
DROP FUNCTION proofs_refuse CASCADE;
DROP FUNCTION proofs_follow_on CASCADE;
"""


class Migration(migrations.Migration):
    dependencies = [("proofs", "0001_proofs")]
    operations = [migrations.RunSQL(FUNCTIONS + GUARDS, REMOVE)]
