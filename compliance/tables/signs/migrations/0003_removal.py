"""Whether removing a sign restarts its clock, by the rules in force when it was made. For all signs so far it does."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("signs", "0002_guards")]
    operations = [
        migrations.AddField("sign", "removal_restarts_the_clock", models.BooleanField(default=True)),
    ]
