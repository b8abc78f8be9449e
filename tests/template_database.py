"""The template of every test's database, made in a server that no test uses yet: `python -m tests.template_database`."""

import django

if __name__ == "__main__":
    django.setup()
    from tests.conftest import make_template, superuser

    with superuser("postgres") as admin:
        make_template(admin)
