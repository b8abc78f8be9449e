"""AccountAct, the rows of regulated acts, with append-only triggers like those of the ledger (ENABLE ALWAYS)."""

import django.db.models.deletion
from django.db import migrations, models

import compliance.core.accounts.roles

GUARDS = """
CREATE TRIGGER account_act_only_grows BEFORE UPDATE OR DELETE ON accounts_accountact
    FOR EACH ROW EXECUTE FUNCTION accounts_refuse_change();
CREATE TRIGGER account_act_is_not_emptied BEFORE TRUNCATE ON accounts_accountact
    FOR EACH STATEMENT EXECUTE FUNCTION accounts_refuse_change();
ALTER TABLE accounts_accountact ENABLE ALWAYS TRIGGER account_act_only_grows;
ALTER TABLE accounts_accountact ENABLE ALWAYS TRIGGER account_act_is_not_emptied;
ALTER TABLE accounts_accountevent ENABLE ALWAYS TRIGGER account_event_only_grows;
ALTER TABLE accounts_accountevent ENABLE ALWAYS TRIGGER account_event_is_not_emptied;
"""


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_guarantees")]
    operations = [
        migrations.CreateModel(
            name="AccountAct",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("log", models.TextField()),
                ("entry_index", models.BigIntegerField()),
                ("actor_name", models.CharField(blank=True, max_length=120)),
                ("subject_name", models.CharField(blank=True, max_length=120)),
                (
                    "role",
                    models.CharField(blank=True, choices=compliance.core.accounts.roles.Role.choices, max_length=32),
                ),
                ("reason", models.CharField(blank=True, max_length=300)),
                (
                    "event",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="act", to="accounts.accountevent"
                    ),
                ),
                (
                    "invitation",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="accounts.invitation",
                    ),
                ),
            ],
            options={
                "abstract": False,
                "constraints": [
                    models.UniqueConstraint(fields=("log", "entry_index"), name="accounts_accountact_one_entry")
                ],
            },
        ),
        migrations.RunSQL(GUARDS, migrations.RunSQL.noop),
    ]
