"""Append-only triggers for the tables of promotions."""

from collections.abc import Iterable

from django.db import migrations

CREATE_REFUSE_FUNCTION = """
CREATE FUNCTION promotions_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of % is refused: it is kept as it was written', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;
"""
DROP_REFUSE_FUNCTION = "DROP FUNCTION promotions_refuse_change();"

CREATE_TRIGGERS = """
CREATE TRIGGER promotions_only_grows BEFORE UPDATE OR DELETE ON {table}
    FOR EACH ROW EXECUTE FUNCTION promotions_refuse_change();
CREATE TRIGGER promotions_is_not_emptied BEFORE TRUNCATE ON {table}
    FOR EACH STATEMENT EXECUTE FUNCTION promotions_refuse_change();
ALTER TABLE {table} ENABLE ALWAYS TRIGGER promotions_only_grows;
ALTER TABLE {table} ENABLE ALWAYS TRIGGER promotions_is_not_emptied;
"""
DROP_TRIGGERS = """
DROP TRIGGER promotions_only_grows ON {table};
DROP TRIGGER promotions_is_not_emptied ON {table};
"""


def make_append_only(tables: Iterable[str]) -> migrations.RunSQL:
    names = list(tables)
    return migrations.RunSQL(
        "".join(CREATE_TRIGGERS.format(table=name) for name in names),
        "".join(DROP_TRIGGERS.format(table=name) for name in names),
    )
