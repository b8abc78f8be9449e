"""The triggers under every table of promotions: what was written stays as it was written."""

from collections.abc import Iterable

from django.db import migrations

REFUSE = """
CREATE FUNCTION promotions_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of % is refused: it is kept as it was written', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;
"""
DROP_REFUSE = "DROP FUNCTION promotions_refuse_change();"

ONLY_GROWS = """
CREATE TRIGGER promotions_only_grows BEFORE UPDATE OR DELETE ON {table}
    FOR EACH ROW EXECUTE FUNCTION promotions_refuse_change();
CREATE TRIGGER promotions_is_not_emptied BEFORE TRUNCATE ON {table}
    FOR EACH STATEMENT EXECUTE FUNCTION promotions_refuse_change();
ALTER TABLE {table} ENABLE ALWAYS TRIGGER promotions_only_grows;
ALTER TABLE {table} ENABLE ALWAYS TRIGGER promotions_is_not_emptied;
"""
SHRINKS_AGAIN = """
DROP TRIGGER promotions_only_grows ON {table};
DROP TRIGGER promotions_is_not_emptied ON {table};
"""


def only_grow(tables: Iterable[str]) -> migrations.RunSQL:
    names = list(tables)
    return migrations.RunSQL(
        "".join(ONLY_GROWS.format(table=name) for name in names),
        "".join(SHRINKS_AGAIN.format(table=name) for name in names),
    )
