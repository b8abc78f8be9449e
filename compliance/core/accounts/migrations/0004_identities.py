"""IdentityLink, with triggers: a link is offered, linked and removed, never rewritten."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import compliance.core.accounts.models

KINDS = [
    "signed-in", "sign-in-failed", "code-refused", "sign-off-refused", "locked", "unlocked", "signed-out",
    "signed-out-everywhere", "second-factor-enrolled", "second-factor-reset", "recovery-code-used",
    "recovery-codes-made", "password-changed", "password-reset-asked", "password-reset", "invited", "invited-again",
    "invitation-withdrawn", "invitation-accepted", "role-given", "role-ended", "disabled", "enabled",
    "identity-offered", "identity-linked", "identity-removed",
]  # fmt: skip

GUARDS = """
CREATE TRIGGER identity_link_is_not_deleted BEFORE DELETE ON accounts_identitylink
    FOR EACH ROW EXECUTE FUNCTION accounts_refuse_change();
CREATE TRIGGER identity_link_is_not_emptied BEFORE TRUNCATE ON accounts_identitylink
    FOR EACH STATEMENT EXECUTE FUNCTION accounts_refuse_change();
CREATE TRIGGER identity_link_is_not_rewritten BEFORE UPDATE ON accounts_identitylink
    FOR EACH ROW WHEN (
        OLD.ended_at IS NOT NULL
        OR ROW(OLD.id, OLD.user_id, OLD.provider, OLD.issuer, OLD.salt, OLD.offered_by_id, OLD.offered_at)
            IS DISTINCT FROM
            ROW(NEW.id, NEW.user_id, NEW.provider, NEW.issuer, NEW.salt, NEW.offered_by_id, NEW.offered_at)
        OR (OLD.linked_at IS NOT NULL
            AND ROW(OLD.subject, OLD.linked_at) IS DISTINCT FROM ROW(NEW.subject, NEW.linked_at))
    ) EXECUTE FUNCTION accounts_refuse_change();
ALTER TABLE accounts_identitylink ENABLE ALWAYS TRIGGER identity_link_is_not_deleted;
ALTER TABLE accounts_identitylink ENABLE ALWAYS TRIGGER identity_link_is_not_emptied;
ALTER TABLE accounts_identitylink ENABLE ALWAYS TRIGGER identity_link_is_not_rewritten;
"""


def person(**options):
    return models.ForeignKey(
        on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL, **{"related_name": "+", **options}
    )


class Migration(migrations.Migration):
    dependencies = [("accounts", "0003_acts")]
    operations = [
        migrations.CreateModel(
            name="IdentityLink",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("user", person(related_name="identity_links")),
                ("provider", models.SlugField(max_length=32)),
                ("issuer", models.CharField(max_length=400)),
                ("subject", models.CharField(blank=True, max_length=255)),
                ("salt", models.CharField(max_length=32)),
                ("offered_by", person(null=True, blank=True)),
                ("offered_at", models.DateTimeField(blank=True, null=True)),
                ("linked_at", models.DateTimeField(blank=True, null=True)),
                ("ended_by", person(null=True, blank=True)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("issuer", "subject"),
                        condition=models.Q(ended_at=None, linked_at__isnull=False),
                        name="identity_of_one_person",
                    ),
                    models.UniqueConstraint(
                        fields=("user", "issuer"), condition=models.Q(ended_at=None), name="identity_once_a_person"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(linked_at=None, subject="")
                        | (models.Q(linked_at__isnull=False) & ~models.Q(subject="")),
                        name="identity_linked_is_named",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(offered_by=None) | ~models.Q(offered_by=models.F("user")),
                        name="identity_not_offered_to_self",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(offered_at__isnull=False) | models.Q(linked_at__isnull=False),
                        name="identity_offered_or_linked",
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="accountact",
            name="identity",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="acts",
                to="accounts.identitylink",
            ),
        ),
        migrations.RemoveConstraint(model_name="accountevent", name="event_kind_is_known"),
        migrations.AlterField(
            model_name="accountevent",
            name="kind",
            field=models.CharField(choices=compliance.core.accounts.models.EventKind.choices, max_length=32),
        ),
        migrations.AddConstraint(
            model_name="accountevent",
            constraint=models.CheckConstraint(condition=models.Q(kind__in=KINDS), name="event_kind_is_known"),
        ),
        migrations.RunSQL(GUARDS, migrations.RunSQL.noop),
    ]
