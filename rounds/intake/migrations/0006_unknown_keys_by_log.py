from django.db import migrations, models


class Migration(migrations.Migration):
    """What was counted until now named no casino: it stays with the log of the site."""

    dependencies = [
        ("intake", "0005_unknown_keys"),
    ]

    operations = [
        migrations.RemoveConstraint(model_name="unknownkeys", name="intake_unknownkeys_one_row"),
        migrations.AddField(
            model_name="unknownkeys",
            name="log",
            field=models.SlugField(default="site", unique=True),
            preserve_default=False,
        ),
        migrations.AddField(model_name="unknownkeys", name="claimed", field=models.JSONField(default=dict)),
    ]
