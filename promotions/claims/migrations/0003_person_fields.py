"""Which details of a claimant were given, with the claim and with the decision."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("claims", "0002_guards")]
    operations = [
        migrations.AddField("claim", "person_fields", models.JSONField(blank=True, null=True)),
        migrations.AddField("claimdecision", "person_fields", models.JSONField(blank=True, null=True)),
    ]
