"""Settings of the site, read from the environment.

Without any environment variables `manage.py` works on this machine alone: a SQLite file and a secret key are made
under `var/`. With UMAOKA_ENV=production nothing is guessed; missing settings are named in an error at start.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import tempfile
from pathlib import Path

import dj_database_url
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from clubsite import private
from clubsite.digits import whole_number
from clubsite.limits import SIGN_IN_PAIR

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(os.environ.get("UMAOKA_VAR") or BASE_DIR / "var").resolve()

ENVIRONMENT = os.environ.get("UMAOKA_ENV", "local")
if ENVIRONMENT not in ("local", "production"):
    raise ImproperlyConfigured(f"UMAOKA_ENV is {ENVIRONMENT!r}; it must be 'local' or 'production'.")
PRODUCTION = ENVIRONMENT == "production"

REQUIRED_IN_PRODUCTION = ("SECRET_KEY", "ALLOWED_HOSTS", "DATABASE_URL")
_missing = [name for name in REQUIRED_IN_PRODUCTION if PRODUCTION and not os.environ.get(name, "").strip(" ,")]
if _missing:
    raise ImproperlyConfigured(f"UMAOKA_ENV=production guesses nothing; set {', '.join(_missing)} in the environment.")


def _flag(name: str, default: bool) -> bool:
    text = os.environ.get(name, "").strip().lower()
    if not text:
        return default
    if text in ("1", "true", "yes", "on"):
        return True
    if text in ("0", "false", "no", "off"):
        return False
    raise ImproperlyConfigured(f"{name} is {text!r}; it must be 1 or 0.")


def _number(name: str, default: int, low: int, high: int) -> int:
    text = os.environ.get(name, "").strip()
    if not text:
        return default
    number = whole_number(text)
    if number is None or not low <= number <= high:
        raise ImproperlyConfigured(f"{name} is {text[:40]!r}; it must be a whole number from {low} to {high}.")
    return number


def _words(name: str) -> list[str]:
    return [word.strip() for word in os.environ.get(name, "").split(",") if word.strip()]


def _local_secret_key() -> str:
    """A secret key for this machine, made once and readable only by its user."""
    path = VAR_DIR / "secret-key"
    if not path.exists():
        private.make_folder(VAR_DIR)
        handle, draft = tempfile.mkstemp(dir=VAR_DIR)  # mode 0600
        with os.fdopen(handle, "w") as file:
            file.write(secrets.token_urlsafe(50))
        # A link is made completely or not at all. If two processes start together, both read the key of the first.
        with contextlib.suppress(FileExistsError):
            os.link(draft, path)
        os.unlink(draft)
    return path.read_text()


# Earlier versions left their files readable for every user of the machine.
private.tighten(VAR_DIR)
SECRET_KEY = os.environ.get("SECRET_KEY") or _local_secret_key()
DEBUG = not PRODUCTION and _flag("UMAOKA_DEBUG", default=False)
# Locally, devices in the tournament hall use any address that the router gave us. In production the hosts are listed.
ALLOWED_HOSTS = _words("ALLOWED_HOSTS") if PRODUCTION else ["*"]
CSRF_TRUSTED_ORIGINS = _words("CSRF_TRUSTED_ORIGINS")
# The address for QR codes that phones open, such as https://mahjong.example. Empty: the host of the printing request.
BASE_URL = os.environ.get("UMAOKA_BASE_URL", "").strip().rstrip("/")
if BASE_URL and not BASE_URL.startswith(("http://", "https://")):
    raise ImproperlyConfigured(f"UMAOKA_BASE_URL is {BASE_URL!r}; it must begin with http:// or https://.")


def database_from(url: str) -> dict[str, object]:
    # The default is a path and not a URL, because a directory's name may hold a space, a percent or a number sign.
    default = {"ENGINE": "django.db.backends.sqlite3", "NAME": str(VAR_DIR / "umaoka.sqlite3")}
    try:
        config: dict[str, object] = dict(dj_database_url.parse(url) if url else default)
    except ValueError as wrong:
        # The URL itself may hold a password and is not repeated here.
        raise ImproperlyConfigured(
            "DATABASE_URL is not understood; it looks like sqlite:////path/file or postgres://user:password@host/name."
        ) from wrong
    if config["ENGINE"] == "django.db.backends.sqlite3":
        private.make_folder(Path(str(config["NAME"])).parent)
        # Deferred transactions gave 39 % "locked" errors with four writers, immediate ones none.
        config["OPTIONS"] = {
            "transaction_mode": "IMMEDIATE",
            "timeout": 30,
            # Deleted or overwritten data is removed from the file too: a player may have asked to be forgotten.
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA secure_delete=ON;",
            "factory": private.PrivateConnection,
        }
        # Closing the last connection writes the log back into the file, which costs many times as much as a small page.
        config["CONN_MAX_AGE"] = 60
    else:
        config |= {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
    config["ATOMIC_REQUESTS"] = False
    return config


DATABASES = {"default": database_from(os.environ.get("DATABASE_URL", ""))}
# Pages cached by clubsite.freshness, up to about 250 kB each. Without CACHE_URL every process has its own cache.
CACHES: dict[str, dict[str, object]] = {
    "default": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "OPTIONS": {"MAX_ENTRIES": 100},
    }
}
if os.environ.get("CACHE_URL"):
    CACHES["default"] = {"BACKEND": "clubsite.caching.ForgivingRedisCache", "LOCATION": os.environ["CACHE_URL"]}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

INSTALLED_APPS = [
    "clubsite",
    "ratings",
    "tournaments",
    "ratings.apps.ClubAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.sitemaps",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "axes",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "django_htmx",
    "django_tables2",
    "simple_history",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "clubsite.security.ContentSecurityPolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "clubsite.security.SecondFactorMiddleware",
    "ratings.middleware.ClubZoneMiddleware",
    "clubsite.downloads.DownloadLimitMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "simple_history.middleware.HistoryRequestMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "clubsite.urls"
WSGI_APPLICATION = "clubsite.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "builtins": ["clubsite.templatetags.numbers"],
        },
    },
]

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
# The cost of one guess at a recovery code: scrypt's n. A stolen database must not reveal the codes in an afternoon.
RECOVERY_CODE_COST = 2**14
LOGIN_URL = "desk:login"
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
# Wrong passwords for one name from one address. Names, networks and known browsers are counted by clubsite.counting.
AXES_FAILURE_LIMIT = SIGN_IN_PAIR.times
AXES_COOLOFF_TIME = SIGN_IN_PAIR.within
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_CLIENT_IP_CALLABLE = "clubsite.security.address_of"
AXES_RESET_ON_SUCCESS = True
AXES_DISABLE_ACCESS_LOG = True  # who signed in when, from where and with what; not stored, because no one reads it
AXES_LOCKOUT_CALLABLE = "clubsite.views.signing_in.locked_out"
AXES_WHITELIST_CALLABLE = "clubsite.browsers.is_trusted"
AXES_VERBOSE = False
AXES_ENABLE_ADMIN = False

# A code from an app as the second step of signing in. Every user may turn it on; users with this role must.
REQUIRE_SECOND_FACTOR = os.environ.get("UMAOKA_REQUIRE_SECOND_FACTOR", "").strip().lower()
if REQUIRE_SECOND_FACTOR not in ("", "owner", "admin"):
    raise ImproperlyConfigured(
        f"UMAOKA_REQUIRE_SECOND_FACTOR is {REQUIRE_SECOND_FACTOR!r}; "
        "it must be 'owner', 'admin' (club admins and the owner), or empty."
    )
OTP_TOTP_ISSUER = f"Umaoka {ALLOWED_HOSTS[0]}" if PRODUCTION else "Umaoka"  # the name under which the app lists us

# Without a mail server emails are printed to the terminal, but not in production, where they would be in a log:
# there they are refused (clubsite.mails).
EMAIL_HOST = os.environ.get("EMAIL_HOST", "")
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'console'}.EmailBackend"
EMAIL_PORT = _number("EMAIL_PORT", 587, 1, 65_535)
EMAIL_HOST_USER = os.environ.get("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = os.environ.get("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_TLS = _flag("EMAIL_USE_TLS", default=True)
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = os.environ.get("DEFAULT_FROM_EMAIL", "umaoka@localhost")

# Heavy work on the queue: how much runs at once, on all machines together, and for one club.
WORK_AT_ONCE = _number("UMAOKA_WORK_AT_ONCE", 3, 1, 64)
WORK_AT_ONCE_PER_CLUB = _number("UMAOKA_WORK_AT_ONCE_PER_CLUB", 2, 1, 64)

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("ru", _("Russian")), ("uk", _("Ukrainian")), ("pl", _("Polish"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = ["clubsite.formats"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"  # stored and computed in UTC; pages show the club's own zone

STATIC_URL = "static/"
# Locally, files are served from their source folders; in production from the folder of `collectstatic`.
STATIC_ROOT = VAR_DIR / "static" if PRODUCTION else None
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if PRODUCTION
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = not PRODUCTION

# Visitors see a plain page. The traceback goes to standard error; by default Django writes none there without DEBUG.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": "clubsite.logs.JsonLines"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", **({"formatter": "json"} if PRODUCTION else {})}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "django": {"handlers": [], "level": "WARNING"},
        # Wrong passwords are recorded in the database; in the log they would be personal data.
        "axes": {"level": "ERROR"},
        # A line per request would scroll the login off the terminal. Errors are logged by the loggers above.
        "django.server": {"level": "INFO" if DEBUG else "CRITICAL"},
    },
}

X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
if PRODUCTION:
    SECURE_SSL_REDIRECT = _flag("SECURE_SSL_REDIRECT", default=True)
    SECURE_REDIRECT_EXEMPT = [r"^healthz(/worker)?$"]  # requested over plain http from inside the network
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = _number("SECURE_HSTS_SECONDS", 31_536_000, 0, 63_072_000)
    # These two bind the whole domain, and browsers remember them for years. Only the owner of the domain can decide it.
    SECURE_HSTS_INCLUDE_SUBDOMAINS = _flag("SECURE_HSTS_INCLUDE_SUBDOMAINS", default=False)
    SECURE_HSTS_PRELOAD = _flag("SECURE_HSTS_PRELOAD", default=False)
    if SECURE_HSTS_PRELOAD and not (SECURE_HSTS_INCLUDE_SUBDOMAINS and SECURE_HSTS_SECONDS >= 31_536_000):
        raise ImproperlyConfigured(
            "SECURE_HSTS_PRELOAD=1 needs SECURE_HSTS_INCLUDE_SUBDOMAINS=1 and at least a year (31536000 seconds): "
            "without them no browser's list takes the name."
        )
    SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]  # both are decided by the settings above
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
