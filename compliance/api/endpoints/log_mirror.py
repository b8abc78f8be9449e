"""The whole log, for systems that mirror it: consecutive entries, byte for byte, and the rule packs they name."""

import base64
from collections.abc import Iterator
from hashlib import sha256 as digest

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from compliance.api.endpoints.openapi import ENTRIES, PACK
from compliance.api.endpoints.query_parameters import MAX_ENTRIES_LIMIT, read_number, reject_unknown_parameters
from compliance.api.endpoints.responses import EntriesPage, EntrySent, PackSent
from compliance.api.endpoints.views import TokenAuthenticatedView
from compliance.api.models import Scope
from compliance.core.web.access import public
from compliance.core.web.errors import NotFound
from rounds.ledger import export, proofs, read_entries, size_of

READ_BATCH_SIZE = 50
# An entry can have three megabytes. A page ends early, so that neither side runs out of memory.
MAX_RESPONSE_BYTES = 2 * 1024 * 1024


class LogEntriesView(TokenAuthenticatedView):
    scope = Scope.ENTRIES

    @extend_schema(**ENTRIES)
    def get(self, request: Request, casino: str) -> HttpResponse:
        reader = self.load_reader(request, casino)
        plain = request._request
        reject_unknown_parameters(plain, "first", "limit")
        first = read_number(plain, "first", 0)
        limit = read_number(plain, "limit", MAX_ENTRIES_LIMIT, minimum=1, maximum=MAX_ENTRIES_LIMIT)
        size = size_of(casino)
        sent = list(consecutive_entries(casino, first, min(first + limit, size)))
        after = sent[-1].index + 1 if sent else first
        return self.respond(reader, request, EntriesPage(casino, sent, after < size, after))


def consecutive_entries(log: str, first: int, last: int) -> Iterator[EntrySent]:
    """Entries `first` to `last` - 1, cut at MAX_RESPONSE_BYTES, but at least one if there is one."""
    taken = 0
    for begin in range(first, last, READ_BATCH_SIZE):
        for entry in read_entries(log, begin, min(begin + READ_BATCH_SIZE, last)):
            leaf = proofs.leaf_bytes_of(entry)
            if taken and taken + len(leaf) > MAX_RESPONSE_BYTES:
                return
            taken += len(leaf)
            yield EntrySent(entry.index, base64.b64encode(leaf).decode())


class PackView(TokenAuthenticatedView):
    scope = Scope.ENTRIES

    @extend_schema(**PACK)
    def get(self, request: Request, casino: str, sha256: str) -> HttpResponse:
        reader = self.load_reader(request, casino)
        reject_unknown_parameters(request._request)
        packs = (content for _, content in export.rule_packs_up_to(casino, size_of(casino)))
        content = next((one for one in packs if digest(one).hexdigest() == sha256), None)
        if content is None:
            raise NotFound
        return self.respond(reader, request, PackSent(sha256, content.decode()))


entries = public(LogEntriesView.as_view())
pack = public(PackView.as_view())
