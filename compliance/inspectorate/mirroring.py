"""The whole log for those who mirror it: entries in a row, byte for byte, and the rule packs that they name."""

import base64
from collections.abc import Iterator
from hashlib import sha256 as digest

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from compliance.inspectorate.answers import EntriesPage, EntrySent, PackSent
from compliance.inspectorate.api import TokenView
from compliance.inspectorate.cursors import MOST_ENTRIES, check_names, read_number
from compliance.inspectorate.models import Scope
from compliance.inspectorate.openapi import ENTRIES, PACK
from compliance.web.access import public
from compliance.web.errors import NotFound
from rounds.ledger.attached import attached_packs
from rounds.ledger.following import read_entries
from rounds.ledger.proving import leaf_of
from rounds.ledger.searching import size_of

READ_AT_ONCE = 50
# An entry may be as long as three megabytes: a page ends early rather than fill the memory of either side.
ENOUGH_BYTES = 2 * 1024 * 1024


class EntriesView(TokenView):
    scope = Scope.ENTRIES

    @extend_schema(**ENTRIES)
    def get(self, request: Request, casino: str) -> HttpResponse:
        reader = self.reader(request, casino)
        plain = request._request
        check_names(plain, "first", "limit")
        first = read_number(plain, "first", 0)
        limit = read_number(plain, "limit", MOST_ENTRIES, least=1, most=MOST_ENTRIES)
        size = size_of(casino)
        sent = list(entries_in_a_row(casino, first, min(first + limit, size)))
        after = sent[-1].index + 1 if sent else first
        return self.answer(reader, request, EntriesPage(casino, sent, after < size, after))


def entries_in_a_row(log: str, first: int, last: int) -> Iterator[EntrySent]:
    """Entries `first` to `last` - 1, or as many of them as make one answer: never none while there is one."""
    taken = 0
    for begin in range(first, last, READ_AT_ONCE):
        for entry in read_entries(log, begin, min(begin + READ_AT_ONCE, last)):
            leaf = leaf_of(entry)
            if taken and taken + len(leaf) > ENOUGH_BYTES:
                return
            taken += len(leaf)
            yield EntrySent(entry.index, base64.b64encode(leaf).decode())


class PackView(TokenView):
    scope = Scope.ENTRIES

    @extend_schema(**PACK)
    def get(self, request: Request, casino: str, sha256: str) -> HttpResponse:
        reader = self.reader(request, casino)
        check_names(request._request)
        packs = (content for _, content in attached_packs(casino, size_of(casino)))
        content = next((one for one in packs if digest(one).hexdigest() == sha256), None)
        if content is None:
            raise NotFound
        return self.answer(reader, request, PackSent(sha256, content.decode()))


entries = public(EntriesView.as_view())
pack = public(PackView.as_view())
