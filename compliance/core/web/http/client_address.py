"""The client's address behind trusted proxies."""

from axes.helpers import get_client_ip_address
from django.http import HttpRequest


def client_address(request: HttpRequest) -> str | None:
    address: str | None = get_client_ip_address(request)
    return address
