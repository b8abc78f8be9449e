"""Creates the template database of the tests in a new server: `python -m tests.template_database`."""

import django

if __name__ == "__main__":
    django.setup()
    from tests.conftest import make_template, superuser

    with superuser("postgres") as admin:
        make_template(admin)
