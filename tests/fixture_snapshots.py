"""Fixture snapshots: what a function made in an empty database is saved row by row, and restored for the next test that
starts with it, because founding two casinos takes far longer. Frequent ones get a database (snapshot_databases.py).
"""

import copy
import functools
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import psycopg
from django.conf import settings
from django.db import connection

from tests import snapshot_databases

# Creating a database takes as long as restoring the rows this many times.
OWN_DATABASE_AFTER = 6

# Created by a superuser in a test's database only: the app role may not write ledger rows directly.
SNAPSHOT_FUNCTIONS = """
DROP SCHEMA IF EXISTS kept CASCADE;
CREATE SCHEMA kept;
GRANT USAGE ON SCHEMA kept TO PUBLIC;

-- Written down once: to ask the catalogue before and after every test takes longer than most tests.
CREATE TABLE kept.tables AS
SELECT relation.oid::regclass AS name, relation.relname = ANY ('{auth_permission,ledger_log,ledger_head}') AS is_own,
relation.relkind = 'p' AS is_partitioned, (
    SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
    WHERE attrelid = relation.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
) AS columns, (
    -- These stay on whatever the role of the session; 4 is INSERT.
    SELECT string_agg(format('ALTER TABLE %I %%1$s TRIGGER %I', relation.relname, tgname), ';') FROM pg_trigger
    WHERE tgrelid = relation.oid AND NOT tgisinternal AND tgenabled = 'A' AND tgtype & 4 > 0
) AS guards_of_insert, (
    SELECT string_agg(format('ALTER TABLE %I %%1$s TRIGGER %I', relation.relname, tgname), ';') FROM pg_trigger
    WHERE tgrelid = relation.oid AND NOT tgisinternal AND tgenabled = 'A'
) AS guards
FROM pg_class relation
WHERE relation.relkind IN ('r', 'p') AND relation.relnamespace = 'public'::regnamespace AND NOT relispartition
AND relname NOT IN ('django_migrations', 'django_content_type');

CREATE FUNCTION kept.write_down() RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
    world jsonb := '{}';
    tables record;
    found jsonb;
BEGIN
    FOR tables IN SELECT * FROM kept.tables WHERE NOT is_own LOOP
        EXECUTE format('SELECT jsonb_agg(to_jsonb(it)) FROM %s it', tables.name) INTO found;
        IF found IS NOT NULL THEN
            world := world || jsonb_build_object(tables.name::text, found);
        END IF;
    END LOOP;
    RETURN jsonb_build_object(
        'rows', world,
        'logs', (SELECT jsonb_agg(to_jsonb(ledger_log)) FROM ledger_log),
        'heads', (SELECT jsonb_agg(to_jsonb(ledger_head)) FROM ledger_head)
    );
END $$;

CREATE FUNCTION kept.write_back(world jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public SET session_replication_role = replica AS $$
DECLARE
    log ledger_log;
    head ledger_head;
    tables record;
BEGIN
    FOR log IN SELECT * FROM jsonb_populate_recordset(NULL::ledger_log, world->'logs') LOOP
        PERFORM setval(pg_get_serial_sequence('ledger_log', 'id'), log.id, false);
        PERFORM ledger_open_log(log.slug, log.opened_at);
    END LOOP;
    FOR head IN SELECT * FROM jsonb_populate_recordset(NULL::ledger_head, world->'heads') LOOP
        UPDATE ledger_head SET size = head.size, frontier = head.frontier
        WHERE log_id = head.log_id AND size < head.size;
    END LOOP;
    -- Of two worlds in one test, the second may have the lower numbers.
    PERFORM setval(pg_get_serial_sequence('ledger_log', 'id'), max(id)) FROM ledger_log HAVING max(id) IS NOT NULL;
    FOR tables IN SELECT * FROM kept.tables WHERE world->'rows' ? name::text LOOP
        EXECUTE coalesce(format(tables.guards_of_insert, 'DISABLE'), '');
        EXECUTE format(
            'INSERT INTO %1$s (%2$s) OVERRIDING SYSTEM VALUE '
            'SELECT %2$s FROM jsonb_populate_recordset(NULL::%1$s, $1) ON CONFLICT DO NOTHING',
            tables.name, tables.columns
        ) USING world->'rows'->tables.name::text;
        EXECUTE coalesce(format(tables.guards_of_insert, 'ENABLE ALWAYS'), '');
    END LOOP;
END $$;

-- In a database of its own, after its rows are written back: what is new takes the numbers after theirs.
CREATE PROCEDURE kept.go_on_counting() LANGUAGE plpgsql SET search_path = public AS $$
DECLARE
    counted record;
BEGIN
    FOR counted IN
        SELECT tables.name, attname, pg_get_serial_sequence(tables.name::text, attname) AS sequence
        FROM kept.tables JOIN pg_attribute ON attrelid = tables.name::oid AND attnum > 0 AND NOT attisdropped
        WHERE pg_get_serial_sequence(tables.name::text, attname) IS NOT NULL
    LOOP
        EXECUTE format(
            'SELECT setval(%L, max(%I)) FROM %s HAVING max(%2$I) IS NOT NULL', counted.sequence, counted.attname,
            counted.name
        );
    END LOOP;
END $$;

-- After a test with real commits, by a superuser: tables that hold something, their guards off for the moment.
CREATE PROCEDURE kept.empty_every_table() LANGUAGE plpgsql SET search_path = public AS $$
DECLARE
    found record;
    holds_rows boolean;
BEGIN
    SET LOCAL session_replication_role = replica;
    FOR found IN SELECT inhrelid::regclass AS name FROM pg_inherits WHERE inhparent = 'ledger_entry'::regclass LOOP
        EXECUTE format('DROP TABLE %s', found.name);
    END LOOP;
    FOR found IN SELECT * FROM kept.tables WHERE NOT is_partitioned AND pg_relation_size(name) > 0 LOOP
        EXECUTE format('SELECT EXISTS (SELECT FROM %s)', found.name) INTO holds_rows;
        CONTINUE WHEN NOT holds_rows;
        EXECUTE coalesce(format(found.guards, 'DISABLE'), '');
        EXECUTE format('DELETE FROM %s', found.name);
        EXECUTE coalesce(format(found.guards, 'ENABLE ALWAYS'), '');
    END LOOP;
END $$;
"""

Told = TypeVar("Told")


@dataclass
class Snapshot:
    rows: str
    told: Any
    times_asked_for: int = 0


_worlds: dict[tuple[str, ...], Snapshot] = {}
_makers: list[str] = []
_asked_for: Counter[tuple[str, ...]] = Counter()


def create_snapshot_functions(admin: psycopg.Connection) -> None:
    admin.execute(SNAPSHOT_FUNCTIONS)


def clear_snapshots() -> None:
    """For a new database whose sequences start at one: restoring rows does not advance sequences."""
    _worlds.clear()


def snapshotted(make: Callable[[], Told]) -> Callable[[], Told]:
    """Decorator: restores the snapshot in an empty database, so that tests share people and keys; builds anew in any
    other."""

    @functools.wraps(make)
    def make_or_write_back() -> Told:
        with connection.cursor() as cursor:
            cursor.execute("SELECT EXISTS (SELECT FROM ledger_log), pg_current_xact_id_if_assigned() IS NULL")
            is_peopled, is_untouched = cursor.fetchone()
            if is_peopled:
                return make()
            key = (make.__module__, make.__qualname__, str(settings.PASSWORD_HASHERS))
            if key not in _worlds:
                return copy.deepcopy(_make_and_snapshot(key, make))
        world = _worlds[key]
        world.times_asked_for += 1
        # A fixture that uses others is built in the home database, where sequences continue from fixture to fixture.
        if (
            is_untouched
            and not _makers
            and snapshot_databases.can_switch_database()
            and world.times_asked_for >= OWN_DATABASE_AFTER
        ):
            snapshot_databases.switch_database("_".join(key), world.rows)
        else:
            with connection.cursor() as cursor:
                cursor.execute("SELECT kept.write_back(%s)", [world.rows])
        return copy.deepcopy(world.told)  # type: ignore[no-any-return]

    return make_or_write_back


def snapshot_step(make: "functools.partial[Told]", *said: object) -> Told:
    """A frequent first step on top of a fixture, cached as its own snapshot. `said` is all that it depends on."""
    here = snapshot_databases.current_snapshot()
    if here is None or not snapshot_databases.can_switch_database() or not _is_untouched():
        return make()
    key = (here, make.func.__module__, make.func.__qualname__, *map(str, said))
    if key in _worlds:
        snapshot_databases.switch_database("_".join(key), _worlds[key].rows)
        return copy.deepcopy(_worlds[key].told)  # type: ignore[no-any-return]
    _asked_for[key] += 1
    return copy.deepcopy(_make_and_snapshot(key, make)) if _asked_for[key] == OWN_DATABASE_AFTER else make()


def _is_untouched() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_current_xact_id_if_assigned() IS NULL")
        return bool(cursor.fetchone()[0])


def _make_and_snapshot(key: tuple[str, ...], make: Callable[[], Told]) -> Told:
    _makers.append("_".join(key))
    try:
        made = make()
    finally:
        _makers.pop()
    with connection.cursor() as cursor:
        cursor.execute("SELECT kept.write_down()::text")
        _worlds[key] = Snapshot(cursor.fetchone()[0], made)
    return made
