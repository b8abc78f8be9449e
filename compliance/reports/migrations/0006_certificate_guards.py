"""Append-only triggers for certificates and signed files."""

from django.db import migrations

GUARDS = """
CREATE TRIGGER reports_no_update BEFORE UPDATE OR DELETE ON reports_certificate
    FOR EACH ROW EXECUTE FUNCTION reports_refuse();
CREATE TRIGGER reports_no_truncate BEFORE TRUNCATE ON reports_certificate EXECUTE FUNCTION reports_refuse();
CREATE TRIGGER reports_no_update BEFORE UPDATE OR DELETE ON reports_signedfile
    FOR EACH ROW EXECUTE FUNCTION reports_refuse();
CREATE TRIGGER reports_no_truncate BEFORE TRUNCATE ON reports_signedfile EXECUTE FUNCTION reports_refuse();
ALTER TABLE reports_certificate ENABLE ALWAYS TRIGGER reports_no_update, ENABLE ALWAYS TRIGGER reports_no_truncate;
ALTER TABLE reports_signedfile ENABLE ALWAYS TRIGGER reports_no_update, ENABLE ALWAYS TRIGGER reports_no_truncate;
"""

REMOVE = """
DROP TRIGGER reports_no_update ON reports_certificate;
DROP TRIGGER reports_no_truncate ON reports_certificate;
DROP TRIGGER reports_no_update ON reports_signedfile;
DROP TRIGGER reports_no_truncate ON reports_signedfile;
"""


class Migration(migrations.Migration):
    dependencies = [("reports", "0005_certificates")]
    operations = [migrations.RunSQL(GUARDS, REMOVE)]
