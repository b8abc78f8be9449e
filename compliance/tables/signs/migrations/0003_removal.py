"""Whether coming down restarts a sign's clock: as the rules said when it was made. All of those so far said that it does."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("signs", "0002_guards")]
    operations = [
        migrations.AddField("sign", "removal_restarts_the_clock", models.BooleanField(default=True)),
    ]
