"""The plain site's WSGI application. Its tables are in the benchmark's database, beside ours."""

import os

import django
from django.conf import settings
from django.core.wsgi import get_wsgi_application

from compliance.config.environment import database_address

TABLES = """
CREATE TABLE IF NOT EXISTS plain_entry (LIKE ledger_entry INCLUDING ALL);
CREATE SEQUENCE IF NOT EXISTS plain_index;
"""


def configure() -> None:
    address = database_address(os.environ["DATABASE_OWNER_URL"], "DATABASE_OWNER_URL")
    settings.configure(
        ALLOWED_HOSTS=["127.0.0.1"],
        SECRET_KEY="plain",
        ROOT_URLCONF="tests.bench.plain.site",
        INSTALLED_APPS=["rest_framework", "tests.bench.plain"],
        MIDDLEWARE=[],
        USE_TZ=True,
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        DATA_UPLOAD_MAX_MEMORY_SIZE=None,
        DATABASES={
            "default": {
                "ENGINE": "django.db.backends.postgresql",
                "CONN_MAX_AGE": 60,
                "NAME": address.name,
                "HOST": address.host,
                "PORT": address.port,
                "USER": address.user,
                "PASSWORD": address.password,
            }
        },
        REST_FRAMEWORK={
            "UNAUTHENTICATED_USER": None,
            "DEFAULT_AUTHENTICATION_CLASSES": [],
            "DEFAULT_PERMISSION_CLASSES": [],
            "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
        },
    )
    django.setup()


def make_tables() -> None:
    from django.db import connection

    from tests.bench.plain.models import PlainRound, PlainWager

    if PlainRound._meta.db_table not in connection.introspection.table_names():
        with connection.schema_editor() as editor:
            editor.create_model(PlainRound)
            editor.create_model(PlainWager)
    with connection.cursor() as cursor:
        cursor.execute(TABLES)
    connection.close()


configure()
make_tables()

from django.urls import path  # noqa: E402

from tests.bench.plain.views import RoundsView, insert_entry  # noqa: E402

urlpatterns = [path("rounds", RoundsView.as_view()), path("entry", insert_entry)]
application = get_wsgi_application()
