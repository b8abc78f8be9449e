"""SQL functions for rows that can be withdrawn: whether an entry was taken back, and a trigger function for tables of
which one row at a time may stand for the same subject. A further row is refused until the entry of the first was taken
back. A unique index cannot say that, because rows never change."""

from django.db import migrations

CREATE = """
CREATE FUNCTION ledger_is_taken_back(slug_of_log text, entry bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT FROM ledger_reversal JOIN ledger_log ON ledger_log.id = ledger_reversal.log_id
        WHERE ledger_log.slug = slug_of_log AND ledger_reversal.corrected_index = entry
    )
$$;

CREATE FUNCTION ledger_one_stands() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    same text;
    stands boolean;
BEGIN
    SELECT string_agg(format('held.%I = ($1).%I', name, name), ' AND ') INTO same FROM unnest(TG_ARGV) AS name;
    EXECUTE format(
        'SELECT EXISTS (SELECT FROM %I AS held WHERE %s AND NOT ledger_is_taken_back(held.log, held.entry_index))',
        TG_TABLE_NAME, same
    ) INTO stands USING NEW;
    IF stands THEN
        RAISE EXCEPTION 'a row of % stands already; withdraw it first', TG_TABLE_NAME USING ERRCODE = 'unique_violation';
    END IF;
    RETURN NEW;
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("ledger", "0005_model_names")]

    operations = [
        migrations.RunSQL(
            CREATE, "DROP FUNCTION ledger_one_stands(); DROP FUNCTION ledger_is_taken_back(text, bigint);"
        )
    ]
