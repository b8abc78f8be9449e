"""HTTP client for providers: HTTPS to their own hosts only, no proxies or redirects, limited in time and size."""

import io
import time
from typing import Any
from urllib.parse import urlsplit

from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from requests import PreparedRequest, RequestException, Response
from requests.adapters import HTTPAdapter

from compliance.core.accounts.sso.errors import ProviderRefused, ProviderResponseInvalid, ProviderUnreachable
from compliance.core.accounts.sso.providers import Provider

CONNECT_SECONDS = 3.0
READ_SECONDS = 5.0
# Total limit, however slowly the response arrives.
MAX_SECONDS = 8.0
MAX_BYTES = 256 * 1024
CHUNK = 16 * 1024


class _BoundedAdapter(HTTPAdapter):
    def __init__(self, hosts: frozenset[str]) -> None:
        super().__init__()
        self.hosts = hosts

    def send(self, request: PreparedRequest, *args: Any, **options: Any) -> Response:
        """Applies the limits to every request of the OAuth library.
        Compressed responses are refused: their size is unknown."""
        if urlsplit(request.url or "").netloc not in self.hosts:
            raise ProviderResponseInvalid
        request.headers["Accept-Encoding"] = "identity"
        options |= {"stream": True, "timeout": (CONNECT_SECONDS, READ_SECONDS)}
        until = time.monotonic() + MAX_SECONDS
        answer = super().send(request, *args, **options)
        try:
            answer.raw = io.BytesIO(_read_limited(answer, until))
        finally:
            self.close()
        return answer


def _read_limited(answer: Response, until: float) -> bytes:
    if answer.headers.get("Content-Encoding", "identity") != "identity":
        raise RequestException("It is compressed, which was not asked for.")
    content = b""
    while piece := answer.raw.read1(CHUNK):
        content += piece
        if len(content) > MAX_BYTES:
            raise RequestException("It is too long.")
        if time.monotonic() > until:
            raise RequestException("It comes too slowly.")
    return content


def open_client(provider: Provider, **options: Any) -> OAuth2Session:
    client = OAuth2Session(
        provider.client_id, provider.client_secret, scope="openid email", code_challenge_method="S256", **options
    )
    # No proxies from the environment and no passwords from ~/.netrc.
    client.trust_env = False
    client.verify = provider.ca_file or True
    client.adapters.clear()
    client.mount("https://", _BoundedAdapter(provider.hosts))
    return client


def fetch_document(provider: Provider, address: str) -> Any:
    """Fetches a JSON document of the provider."""
    with open_client(provider) as client:
        try:
            answer = client.request("GET", address, withhold_token=True, allow_redirects=False)
            if answer.status_code != 200:
                raise ProviderUnreachable
            return answer.json()
        except (RequestException, OSError, ValueError) as error:
            raise ProviderUnreachable from error


def exchange_code(client: OAuth2Session, address: str, *, code: str, verifier: str) -> dict[str, Any]:
    """Exchanges the code for tokens, of which only the ID token is used."""
    try:
        answer: dict[str, Any] = client.fetch_token(address, code=code, code_verifier=verifier, allow_redirects=False)
    except OAuthError as error:
        raise ProviderRefused from error
    except (RequestException, OSError, ValueError) as error:
        raise ProviderUnreachable from error
    return answer
