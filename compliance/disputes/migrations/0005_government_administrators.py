"""The government's administrators among the roles that people can have; state only, no SQL."""

from django.db import migrations, models

import compliance.core.accounts.roles


class Migration(migrations.Migration):
    dependencies = [("disputes", "0004_issued_letters")]
    operations = [
        migrations.AlterField(
            "step", "role", models.CharField(choices=compliance.core.accounts.roles.Role.choices, max_length=32)
        )
    ]
