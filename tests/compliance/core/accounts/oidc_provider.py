"""A real OpenID provider (django-oauth-toolkit) in its own process, with its own SQLite database. `python -m
tests.compliance.core.accounts.oidc_provider FOLDER` serves it by HTTPS and prints its port. It rereads deviations for
each request from FOLDER/says.json: claims to change, how to sign, how to respond."""

import base64
import json
import ssl
import sys
import time
from pathlib import Path
from typing import Any
from wsgiref.simple_server import WSGIServer

import django
from django.conf import settings
from django.core.management import call_command

FOLDER = Path(sys.argv[1]) if __name__ == "__main__" else Path()
CLIENT, SECRET, PASSWORD = "fairthrow", "a secret of the client", "the inspectorate's own word"


def url_safe(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


# The client secret as a symmetric key: both sides know it, so either could sign with it.
SHARED = {"kty": "oct", "k": url_safe(SECRET.encode().ljust(32)), "kid": "shared"}


def said() -> dict[str, Any]:
    file = FOLDER / "says.json"
    return json.loads(file.read_text()) if file.exists() else {}


def configure(port: int) -> None:
    settings.configure(
        SECRET_KEY="provider",
        ALLOWED_HOSTS=["localhost"],
        ROOT_URLCONF=__name__,
        USE_TZ=True,
        LOGIN_URL="/login/",
        CSRF_TRUSTED_ORIGINS=[f"https://localhost:{port}"],
        DATABASES={
            "default": {
                "ENGINE": "django.db.backends.sqlite3",
                "NAME": FOLDER / "provider.sqlite",
                "OPTIONS": {"init_command": "PRAGMA synchronous=OFF; PRAGMA journal_mode=MEMORY"},
            }
        },
        INSTALLED_APPS=[
            "django.contrib.auth",
            "django.contrib.contenttypes",
            "django.contrib.sessions",
            "oauth2_provider",
        ],
        # Tables from the models, without migrations, which take longer than everything else.
        MIGRATION_MODULES=dict.fromkeys(("auth", "contenttypes", "sessions", "oauth2_provider")),
        MIDDLEWARE=[
            f"{__name__}.behaving",
            "django.contrib.sessions.middleware.SessionMiddleware",
            "django.middleware.csrf.CsrfViewMiddleware",
            "django.contrib.auth.middleware.AuthenticationMiddleware",
        ],
        TEMPLATES=[
            {
                "BACKEND": "django.template.backends.django.DjangoTemplates",
                "OPTIONS": {
                    "loaders": [
                        ("django.template.loaders.locmem.Loader", {"registration/login.html": LOGIN}),
                        "django.template.loaders.app_directories.Loader",
                    ],
                    "context_processors": ["django.contrib.auth.context_processors.auth"],
                },
            }
        ],
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        SESSION_COOKIE_NAME="provider_session",
        CSRF_COOKIE_NAME="provider_csrf",
        OAUTH2_PROVIDER={
            "OIDC_ENABLED": True,
            "OIDC_ISS_ENDPOINT": f"https://localhost:{port}/o",
            "OIDC_RSA_PRIVATE_KEY": (FOLDER / "key.pem").read_text(),
            "PKCE_REQUIRED": True,
            "OIDC_RP_INITIATED_LOGOUT_ENABLED": True,
            "COMPLIANT_BCP_RFC9700_AUTHZ_RESPONSE_ISS": True,
            "COMPLIANT_BCP_RFC9700_PKCE_METHOD": True,
            "SCOPES": {"openid": "Who you are", "email": "Your address"},
            "OAUTH2_VALIDATOR_CLASS": f"{__name__}.Validator",
        },
    )


LOGIN = (
    '<form method="post">{% csrf_token %}{{ form.as_p }}<input type="hidden" name="next" value="{{ next }}">'
    '<button type="submit">Log in</button></form>'
)


def behaving(get_response: Any) -> Any:
    """Middleware: uses the current key, and applies the configured deviations."""
    from django.http import HttpResponse
    from oauth2_provider.settings import oauth2_settings

    def answer(request: Any) -> Any:
        oauth2_settings.OIDC_RSA_PRIVATE_KEY = (FOLDER / "key.pem").read_text()
        wrong = said().get("answers", {}).get(request.path)
        if wrong == "endless":
            return HttpResponse(b"[" + b" " * 4_000_000 + b"]", content_type="application/json")
        if request.path == "/favicon.ico":
            return HttpResponse(status=204)
        if wrong == "slow":
            time.sleep(2)
        if wrong == "elsewhere":
            return HttpResponse(status=302, headers={"Location": "https://localhost:1/"})
        response = get_response(request)
        if wrong == "failing":
            response.status_code = 500
        if isinstance(wrong, dict):
            response.content = json.dumps(json.loads(response.content) | wrong)
        return response

    return answer


def make_validator() -> Any:
    from jwcrypto import jwk, jwt
    from oauth2_provider.oauth2_validators import OAuth2Validator
    from oauth2_provider.utils import jwk_from_pem

    class Validator(OAuth2Validator):  # type: ignore[misc]
        oidc_claim_scope = None

        def get_additional_claims(self, request: Any) -> dict[str, Any]:
            return {"email": request.user.email, "email_verified": True}

        def finalize_id_token(self, id_token: Any, token: Any, token_handler: Any, request: Any) -> Any:
            """The regular token, or one with other claims or another signature if says.json asks for it."""
            written = super().finalize_id_token(id_token, token, token_handler, request)
            told = said()
            if not told.keys() & {"claims", "sign"}:
                return written
            own = jwk_from_pem((FOLDER / "key.pem").read_text())
            claims = json.loads(jwt.JWT(jwt=written, key=own).claims)
            claims = {name: value for name, value in (claims | told.get("claims", {})).items() if value is not None}
            header = {"alg": "RS256", "typ": "JWT", "kid": own.thumbprint()}
            if told.get("sign") == "none":
                parts = [json.dumps(one).encode() for one in (header | {"alg": "none"}, claims)]
                return ".".join([*map(url_safe, parts), ""])
            if told.get("sign") == "stranger":
                own = jwk.JWK.generate(kty="RSA", size=2048)
            if told.get("sign") == "secret":
                own = jwk.JWK(**SHARED)
                header |= {"alg": "HS256", "kid": "shared"}
            forged = jwt.JWT(header=header, claims=claims)
            forged.make_signed_token(own)
            return forged.serialize()

    return Validator


def make_people() -> None:
    from django.contrib.auth.models import User
    from oauth2_provider.models import Application

    call_command("migrate", run_syncdb=True, verbosity=0)
    for name in ("ines", "bruno", "mara", "ada"):
        User.objects.create_user(name, f"{name}@example.com", PASSWORD)
    Application.objects.create(
        client_id=CLIENT,
        client_secret=SECRET,
        name="Fairthrow",
        client_type="confidential",
        algorithm="RS256",
        authorization_grant_type="authorization-code",
        skip_authorization=True,
        redirect_uris="http://testserver/sign-in/by/inspectorate/back/",
        post_logout_redirect_uris="http://testserver/sign-in/",
    )


def serve() -> None:
    from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler
    from django.core.wsgi import get_wsgi_application

    server: WSGIServer = ThreadedWSGIServer(("127.0.0.1", 0), WSGIRequestHandler)
    configure(server.server_port)
    django.setup()
    globals()["Validator"] = make_validator()
    make_people()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(FOLDER / "tls.pem")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    server.set_app(get_wsgi_application())
    print(json.dumps({"port": server.server_port}), flush=True)
    server.serve_forever()


def urls() -> list[Any]:
    from django.contrib.auth.views import LoginView
    from django.urls import include, path

    return [path("login/", LoginView.as_view()), path("o/", include("oauth2_provider.urls"))]


def __getattr__(name: str) -> Any:
    """Lazy: Django must be set up before the URL patterns can be imported."""
    if name == "urlpatterns":
        globals()[name] = urls()
        return globals()[name]
    raise AttributeError(name)


if __name__ == "__main__":
    serve()
