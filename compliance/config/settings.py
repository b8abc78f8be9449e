"""The one settings file. All settings that differ between installations come from environment.py."""

import gc
import logging
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import structlog
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from compliance.config import environment
from compliance.config.environment import BadEnvironment, read, read_choice, read_flag, read_int, read_networks
from compliance.core.web.files.key_files import load_or_create_secret

# Objects made at start-up live as long as the process. Collecting garbage meanwhile makes the start a sixth slower;
# ConfigConfig.ready() freezes them and enables collection again.
gc.disable()

BASE_DIR = environment.PROJECT
DATA_DIR = environment.data_dir()
IS_EMBEDDED = not read("DATABASE_URL")
environment.load_embedded_services()

# --- Where it runs -------------------------------------------------------------------------------------------------

DEMO = read_flag("DEMO", default=IS_EMBEDDED)
DEBUG = False
SITE_NAME = read("SITE_NAME")
try:
    # Base URL of links in e-mails, on paper and for other systems.
    SITE_ADDRESS = environment.site_address(is_demo=DEMO)
except BadEnvironment as error:
    raise ImproperlyConfigured(str(error)) from error
# Address at which other processes on this machine reach the web server.
OWN_ADDRESS = f"http://{read('HOST').replace('0.0.0.0', '127.0.0.1')}:{read('PORT')}"  # noqa: S104 - asks, binds nothing
if read("SECRET_KEY"):
    SECRET_KEY = read("SECRET_KEY")
elif IS_EMBEDDED:
    SECRET_KEY = load_or_create_secret(DATA_DIR / "secret-key")
else:
    raise ImproperlyConfigured("SECRET_KEY is not set. With your own database, set it to a long random text.")
# For key rotation: sessions and links signed with an earlier key stay valid.
SECRET_KEY_FALLBACKS = [key for key in read("SECRET_KEY_FALLBACKS").split(",") if key]
ALLOWED_HOSTS = [name for name in read("ALLOWED_HOSTS").split(",") if name] or [SITE_NAME, "localhost", "127.0.0.1"]
TRUSTED_PROXIES = read_int("TRUSTED_PROXIES", 0, 10)
if TRUSTED_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# --- Apps: facts below, judgements above; the order here is the order of the layers, top to bottom ------------------

INSTALLED_APPS = [
    "compliance.config",
    "compliance.pages",
    "compliance.api",
    "compliance.notify.webhooks",
    "rounds.simulator",
    "compliance.transparency.wager_proofs",
    "compliance.reports",
    "compliance.inspection.checklists",
    "compliance.inspection.reviews",
    "compliance.transparency.ledger_pages",
    "compliance.transparency.recovery",
    "compliance.transparency.witness_registry",
    "compliance.analysis.fairness",
    "compliance.analysis.what_if",
    "compliance.analysis.parquet",
    "compliance.audit",
    "compliance.tables.player_conduct",
    "compliance.disputes",
    "promotions.claims",
    "promotions.draws",
    "promotions.terms",
    "compliance.tables.equipment",
    "compliance.tables.limit_notices",
    "compliance.tables.closures",
    "compliance.tables.signs",
    "compliance.notify.saved_views",
    "compliance.notify.alerts",
    "compliance.privacy.access_log",
    "compliance.privacy.personal_data",
    "rounds.intake",
    "rounds.floor",
    "rounds.rulebook",
    "compliance.core.corrections",
    "compliance.core.accounts",
    "rounds.ledger",
    "compliance.core.web",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django_htmx",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "axes",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_structlog",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "compliance.core.web.http.load_shedding.SheddingMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    # Requests of table controllers end here; the middleware below is for browsers.
    "rounds.intake.api.middleware.ControllerApiMiddleware",
    "csp.middleware.CSPMiddleware",
    "compliance.core.web.http.cache_headers.NeverCacheMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django_otp.middleware.OTPMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "django_structlog.middlewares.RequestMiddleware",
    "compliance.core.web.errors.RefusalMiddleware",
    "compliance.core.accounts.auth.middleware.SessionTimeoutMiddleware",
    "compliance.core.accounts.auth.middleware.AccessMiddleware",
    "axes.middleware.AxesMiddleware",
    "compliance.privacy.access_log.middleware.DisclosureMiddleware",
]

ROOT_URLCONF = "compliance.config.urls"
WSGI_APPLICATION = "compliance.config.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "compliance.core.web.context_processors.page",
            ],
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    [
                        "django.template.loaders.filesystem.Loader",
                        "django.template.loaders.app_directories.Loader",
                    ],
                )
            ],
            "builtins": ["compliance.core.web.templatetags.ui"],
        },
    }
]
FORM_RENDERER = "compliance.core.web.ui.forms.ComponentFormRenderer"

MESSAGE_STORAGE = "compliance.core.web.ui.outcome_messages.OutcomeMessages"

# --- Database: the service signs in as the app role; migrations alone use the owner ---------------------------------


def _database(variable: str) -> dict[str, Any]:
    address = environment.database_address(read(variable), variable)
    return {"USER": address.user, "PASSWORD": address.password, "HOST": address.host, "PORT": address.port} | {
        "NAME": address.name
    }


DATABASES: dict[str, dict[str, Any]] = {
    "default": {
        "ENGINE": "compliance.core.web.database",
        # A port without a server until an address is known, so that commands that need no database work.
        "NAME": "fairthrow",
        "HOST": "127.0.0.1",
        "PORT": "1",
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {"connect_timeout": 5},
    }
}
try:
    if read("DATABASE_URL"):
        DATABASES["default"] |= _database("DATABASE_URL")
    DATABASE_OWNER = _database("DATABASE_OWNER_URL") if read("DATABASE_OWNER_URL") else None
except BadEnvironment as error:
    raise ImproperlyConfigured(str(error)) from error

# --- Ledger ---------------------------------------------------------------------------------------------------------

LEDGER_KEY_FILE = Path(read("LEDGER_KEY_FILE") or DATA_DIR / "keys" / "ledger.key")
# Signs every PDF; its certificate is recorded in the ledger.
REPORT_KEY_FILE = Path(read("REPORT_KEY_FILE") or DATA_DIR / "keys" / "report.pem")
# The minimum allows a controller about one batch a second, without which a table cannot keep up.
CONTROLLER_BATCH_LIMIT = read_int("CONTROLLER_BATCH_LIMIT", 10, 1_000_000)
# Evidence bundles for download, kept seven days. Must be shared storage if web servers and workers are on several
# hosts.
EVIDENCE_DIR = DATA_DIR / "evidence"
# Reports, kept for ever; shared storage likewise.
REPORTS_DIR = DATA_DIR / "reports"

# --- Webhooks: see compliance/notify/webhooks/delivery/address_policy.py ----------------------------------------------

WEBHOOK_KEY_FILE = Path(read("WEBHOOK_KEY_FILE") or DATA_DIR / "keys" / "webhook.key")
# Webhooks may only call private addresses, use plain HTTP or other ports within these networks.
WEBHOOK_NETWORKS = read_networks("WEBHOOK_NETWORKS")
WEBHOOK_PORTS = (443, 8443)

# --- Celery only wakes workers; all state is in PostgreSQL ----------------------------------------------------------

REDIS_URL = read("REDIS_URL")
if REDIS_URL and urlsplit(REDIS_URL).scheme not in ("redis", "rediss", "unix"):
    raise ImproperlyConfigured("REDIS_URL must look like redis://:password@host:6379/0.")
# Used by the Procfile; read here so that a bad value is reported like any other.
read_int("WORKER_PROCESSES", 1, 256)
VISIBILITY_TIMEOUT_SECONDS = 600
CELERY_BROKER_URL = REDIS_URL
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": VISIBILITY_TIMEOUT_SECONDS, "socket_timeout": 5}
CELERY_RESULT_BACKEND = None
CELERY_TASK_IGNORE_RESULT = True
CELERY_RESULT_BACKEND_TRANSPORT_OPTIONS = {"visibility_timeout": VISIBILITY_TIMEOUT_SECONDS}
CELERY_VISIBILITY_TIMEOUT = VISIBILITY_TIMEOUT_SECONDS
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_TIME_LIMIT = VISIBILITY_TIMEOUT_SECONDS // 2
CELERY_TASK_SERIALIZER = "json"
CELERY_TIMEZONE = "UTC"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False

# Tasks woken when controllers' entries arrive, so that consumers of the log need not wait for their next periodic run.
WOKEN_BY_ENTRIES = [
    "rounds.intake.tasks.consume_controller_reports",
    "compliance.tables.signs.tasks.update_signs",
    "compliance.tables.equipment.tasks.consume_equipment_entries",
    "compliance.audit.tasks.audit",
    "compliance.pages.tasks.consume_table_entries",
]

# --- People ---------------------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.ScryptPasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "accounts:sign-in"
LOGIN_REDIRECT_URL = "desk:home"
PASSWORD_RESET_TIMEOUT = 60 * 60
OTP_TOTP_ISSUER = "Fairthrow"
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_HTTP_RESPONSE_CODE = 429
AXES_LOCKOUT_CALLABLE = "compliance.core.accounts.auth.lockout.locked_out"
AXES_SENSITIVE_PARAMETERS = ["password", "code"]
AXES_IPWARE_PROXY_COUNT = TRUSTED_PROXIES or None
AXES_IPWARE_META_PRECEDENCE_ORDER = ["HTTP_X_FORWARDED_FOR", "REMOTE_ADDR"] if TRUSTED_PROXIES else ["REMOTE_ADDR"]
AXES_VERBOSE = False

# Identity providers of the casinos: see compliance/core/accounts/sso/providers.py. Read once, at start-up.
OIDC_PROVIDERS = Path(read("OIDC_PROVIDERS")) if read("OIDC_PROVIDERS") else None

SESSION_IDLE_SECONDS = 60 * read_int("SESSION_IDLE_MINUTES", 1, 24 * 60)
SESSION_COOKIE_AGE = 12 * 60 * 60
SESSION_EXPIRE_AT_BROWSER_CLOSE = True

# --- Load shedding: see compliance/core/web/http/load_shedding.py ----------------------------------------------------

# Half of a web process's threads may serve controllers, half people; as many requests of each may wait.
CONCURRENT_REQUESTS_EACH = max(1, read_int("WEB_THREADS", 1, 256) // 2)
QUEUED_REQUESTS_EACH = read_int("WEB_THREADS", 1, 256)
read_int("WEB_WORKERS", 1, 256)
LONGEST_QUEUE_SECONDS = 10.0

# --- Security: strict everywhere; only the demo may be reached over plain HTTP --------------------------------------

SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = not DEMO
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SECURE_SSL_REDIRECT = not DEMO
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
SECURE_HSTS_SECONDS = 0 if DEMO else 365 * 24 * 60 * 60
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = not DEMO
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "compliance.core.web.errors.csrf_failure"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "manifest-src": [SELF],
    }
}

# --- API: closed unless a view opens it -----------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAdminUser"],
    "UNAUTHENTICATED_USER": None,
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Fairthrow",
    "DESCRIPTION": "How table controllers feed a casino's ledger, how inspectorates' systems read it, and how "
    "witnesses and everybody else check a log.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "POSTPROCESSING_HOOKS": [
        "rounds.intake.api.openapi.add_kinds",
        "compliance.api.endpoints.openapi.add_response_schemas",
    ],
}

# --- Language, time, files ------------------------------------------------------------------------------------------

LANGUAGE_CODE = "en-au"
USE_I18N = False
USE_TZ = True
TIME_ZONE = "UTC"
STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS: list[str] = []
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
MEDIA_ROOT = DATA_DIR / "uploads"

# --- E-mail: any SMTP server, or the demo's mailbox page ------------------------------------------------------------

DEFAULT_FROM_EMAIL = SERVER_EMAIL = read("EMAIL_FROM") or f"fairthrow@{SITE_NAME}"
if read("EMAIL_URL"):
    _smtp = environment.mail_address(read("EMAIL_URL"))
    EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    EMAIL_HOST = _smtp.hostname
    EMAIL_PORT = _smtp.port or (465 if _smtp.scheme == "smtps" else 587)
    EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = unquote(_smtp.username or ""), unquote(_smtp.password or "")
    EMAIL_USE_SSL = _smtp.scheme == "smtps"
    EMAIL_USE_TLS = _smtp.scheme == "smtp" and bool(_smtp.username)
    EMAIL_TIMEOUT = 20
elif DEMO:
    EMAIL_BACKEND = "compliance.core.web.mail.demo_mailbox.MailboxBackend"
else:
    raise ImproperlyConfigured("EMAIL_URL is not set: invitations and password resets would reach nobody.")

# --- Logs: structured, one line an event, never a patron's name -----------------------------------------------------

LOG_FORMAT = read_choice("LOG_FORMAT", ("json", "console"), default="console" if DEMO else "json")
LOG_LEVEL = read_choice("LOG_LEVEL", ("DEBUG", "INFO", "WARNING", "ERROR"), default="WARNING" if DEMO else "INFO")
DJANGO_STRUCTLOG_CELERY_ENABLED = True
# Wake-up messages are meant to expire (compliance/core/web/jobs/wake.py), so that is no warning.
DJANGO_STRUCTLOG_CELERY_TASK_RETRY_LOG_LEVEL = logging.INFO
_SHARED_PROCESSORS: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.stdlib.PositionalArgumentsFormatter(),
    structlog.processors.format_exc_info,
]
_RENDERER: Any = (
    structlog.processors.JSONRenderer() if LOG_FORMAT == "json" else structlog.dev.ConsoleRenderer(colors=False)
)
structlog.configure(
    processors=[
        structlog.stdlib.filter_by_level,
        *_SHARED_PROCESSORS,
        structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
    ],
    logger_factory=structlog.stdlib.LoggerFactory(),
    cache_logger_on_first_use=True,
)
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "structured": {
            "()": "structlog.stdlib.ProcessorFormatter",
            "processor": _RENDERER,
            "foreign_pre_chain": _SHARED_PROCESSORS,
        }
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "structured"}},
    "root": {"handlers": ["stderr"], "level": LOG_LEVEL},
    "loggers": {
        "django.server": {"handlers": ["stderr"], "level": "WARNING", "propagate": False},
        "axes": {"level": "WARNING"},
        "celery": {"level": "WARNING"},
    },
}
