"""Endpoints under `/api/v1/casinos/`, read with a token. The only write is the record of the access."""

from typing import Any

import msgspec
import structlog
from django.db.models import Model, Q, QuerySet
from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from compliance.api.endpoints import responses
from compliance.api.endpoints.authentication import Reader, authenticate_reader, record_download, record_read
from compliance.api.endpoints.openapi import CASES, COVERAGE, FILE, FINDING, FINDINGS, REPORTS, ROUND, ROUNDS
from compliance.api.endpoints.query_parameters import (
    encode_cursor,
    read_cursor,
    read_limit,
    read_timestamp,
    reject_unknown_parameters,
)
from compliance.api.errors import BadParameter, ReadOnly
from compliance.api.models import Scope
from compliance.audit.catalogue.finding_code import Severity
from compliance.audit.models import Coverage, Finding, ReadingCase
from compliance.audit.selectors import audit_gaps, audit_progress
from compliance.core.web.access import public
from compliance.core.web.errors import NotFound, Unavailable
from compliance.core.web.http.api_view import SessionlessView
from compliance.core.web.jobs.job import JobState
from compliance.core.web.ui.links import casino_url
from compliance.reports.errors import ReportGone
from compliance.reports.models import Report
from rounds.intake import entry_kinds
from rounds.ledger import EntryQuery, entry_at, proofs, search_entries, signing, storage
from rounds.transparency_log import tree
from rounds.transparency_log.errors import LedgerError

logger = structlog.get_logger(__name__)

FINDING_STATES = {"standing": True, "superseded": False}
MAX_GAPS = 200


class TokenAuthenticatedView(SessionlessView):
    """Base of the endpoints. Authenticated by token, without session or cookie; `scope` is the one the token must
    have."""

    wrong_method = ReadOnly
    http_method_names = ["get", "head"]  # noqa: RUF012
    scope: Scope

    def load_reader(self, request: Request, casino: str) -> Reader:
        return authenticate_reader(request._request, casino, self.scope, timezone.now())

    def respond(self, reader: Reader, request: Request, body: msgspec.Struct) -> HttpResponse:
        record_read(reader, request._request)
        response = HttpResponse(msgspec.json.encode(body), content_type="application/json")
        response["Cache-Control"] = "no-store"
        return response

    def handle_exception(self, exc: Exception) -> HttpResponse:  # type: ignore[override]
        if isinstance(exc, LedgerError):
            logger.error("api_cannot_prove", error=exc.sentence)
            raise Unavailable("The stored log cannot prove this now.", remedy="Tell those who run it.") from exc
        return super().handle_exception(exc)


def paginate_rows(rows: QuerySet[Any], by: str, request: HttpRequest) -> tuple[list[Any], bool, str | None]:
    """The rows after the cursor, whether there are more, and the next cursor."""
    limit, after = read_limit(request), read_cursor(request)
    found: list[Model] = list(rows.filter(**{f"{by}__gt": after}).order_by(by)[: limit + 1])
    page = found[:limit]
    last = getattr(page[-1], by) if page else after
    return page, len(found) > limit, None if last < 0 else encode_cursor(last)


class FindingsView(TokenAuthenticatedView):
    scope = Scope.FINDINGS

    @extend_schema(**FINDINGS)
    def get(self, request: Request, casino: str) -> HttpResponse:
        reader = self.load_reader(request, casino)
        plain = request._request
        reject_unknown_parameters(plain, "cursor", "limit", "since", "until", "code", "severity", "table", "state")
        findings = Finding.objects.filter(log=reader.casino.slug).select_related("version").with_case_totals()
        if plain.GET.get("table"):
            findings = findings.at_table(reader.casino.slug, plain.GET["table"])
        rows: QuerySet[Finding] = findings.filter(code=plain.GET["code"]) if plain.GET.get("code") else findings
        rows = _filter_by_severity(_filter_by_state(rows, plain), plain)
        since, until = read_timestamp(plain, "since"), read_timestamp(plain, "until")
        rows = rows.filter(at__gte=since) if since else rows
        rows = rows.filter(at__lt=until) if until else rows
        page, has_more, cursor = paginate_rows(rows, "entry_index", plain)
        found = [responses.finding_response(one) for one in page]
        return self.respond(reader, request, responses.FindingsPage(casino, found, has_more, cursor))


def _filter_by_state(rows: QuerySet[Finding], request: HttpRequest) -> QuerySet[Finding]:
    state = request.GET.get("state", "standing")
    if state == "all":
        return rows
    if state not in FINDING_STATES:
        raise BadParameter("The parameter state must be standing, superseded or all.")
    return rows.filter(superseded_at__isnull=FINDING_STATES[state])


def _filter_by_severity(rows: QuerySet[Finding], request: HttpRequest) -> QuerySet[Finding]:
    severity = request.GET.get("severity", "")
    if severity and severity not in list(Severity):
        raise BadParameter(f"The parameter severity must be one of {', '.join(Severity)}.")
    return rows.filter(severity=severity) if severity else rows


class FindingView(TokenAuthenticatedView):
    scope = Scope.FINDINGS

    @extend_schema(**FINDING)
    def get(self, request: Request, casino: str, index: int) -> HttpResponse:
        reader = self.load_reader(request, casino)
        reject_unknown_parameters(request._request)
        return self.respond(reader, request, responses.finding_response(_finding_at(casino, index)))


def _finding_at(casino: str, index: int) -> Finding:
    rows = Finding.objects.filter(log=casino, entry_index=min(index, tree.MAX_SIZE))
    found = rows.select_related("version").with_case_totals().first()
    if found is None:
        raise NotFound
    return found


class FindingCasesView(TokenAuthenticatedView):
    scope = Scope.FINDINGS

    @extend_schema(**CASES)
    def get(self, request: Request, casino: str, index: int) -> HttpResponse:
        reader = self.load_reader(request, casino)
        reject_unknown_parameters(request._request, "cursor", "limit")
        page, has_more, cursor = paginate_rows(_finding_at(casino, index).cases.all(), "pk", request._request)
        cases = [responses.case_response(one) for one in page]
        return self.respond(reader, request, responses.CasesPage(casino, cases, has_more, cursor))


class RoundsView(TokenAuthenticatedView):
    scope = Scope.ROUNDS

    @extend_schema(**ROUNDS)
    def get(self, request: Request, casino: str) -> HttpResponse:
        reader = self.load_reader(request, casino)
        plain = request._request
        reject_unknown_parameters(plain, "cursor", "limit", "since", "until", "table")
        wanted = EntryQuery(
            kind=entry_kinds.ROUND,
            table=plain.GET.get("table", ""),
            since=read_timestamp(plain, "since"),
            until=read_timestamp(plain, "until"),
        )
        after = read_cursor(plain)
        found = search_entries(casino, wanted, after=after, limit=read_limit(plain))
        entries = found.entries[::-1]
        signed = proofs.newest_checkpoint(casino)
        size = signed.head.size if signed else 0
        hashes = storage.stored_hashes(storage.get_log(casino), size)
        rounds = [
            responses.round_response(one, tree.inclusion_proof(hashes, one.index, size) if one.index < size else None)
            for one in entries
        ]
        last = entries[-1].index if entries else after
        body = responses.RoundsPage(
            casino=casino,
            checkpoint=signed.note.decode() if signed else None,
            verifier=str(signing.verifier_key_for(casino)),
            rounds=rounds,
            has_more=found.newer is not None,
            cursor=None if last < 0 else encode_cursor(last),
        )
        return self.respond(reader, request, body)


class RoundDetailView(TokenAuthenticatedView):
    scope = Scope.ROUNDS

    @extend_schema(**ROUND)
    def get(self, request: Request, casino: str, index: int) -> HttpResponse:
        reader = self.load_reader(request, casino)
        reject_unknown_parameters(request._request)
        entry = entry_at(casino, min(index, tree.MAX_SIZE))
        if entry is None or entry.kind != entry_kinds.ROUND:
            raise NotFound
        # Findings are a separate scope, which the token may lack.
        sees_findings = Scope.FINDINGS.value in reader.token.scopes
        cases = ReadingCase.objects.filter(log=casino, subject_index=index)
        about = Finding.objects.current().filter(Q(log=casino, subject_index=index) | Q(pk__in=cases.values("finding")))
        rows = about.select_related("version").with_case_totals().order_by("entry_index")
        found = list(rows) if sees_findings else []
        body = responses.single_round_response(
            entry,
            proofs.leaf_bytes_of(entry),
            proofs.make_proof_file(casino, index),
            str(signing.verifier_key_for(casino)),
            found,
        )
        return self.respond(reader, request, body)


class CoverageView(TokenAuthenticatedView):
    scope = Scope.COVERAGE

    @extend_schema(**COVERAGE)
    def get(self, request: Request, casino: str) -> HttpResponse:
        reader = self.load_reader(request, casino)
        reject_unknown_parameters(request._request, "cursor", "limit")
        page, has_more, cursor = paginate_rows(Coverage.objects.filter(log=casino), "entry_index", request._request)
        gaps = list(audit_gaps(casino))[:MAX_GAPS]
        body = responses.coverage_page(casino, audit_progress(reader.casino), gaps, page, has_more, cursor)
        return self.respond(reader, request, body)


class ReportsView(TokenAuthenticatedView):
    scope = Scope.REPORTS

    @extend_schema(**REPORTS)
    def get(self, request: Request, casino: str) -> HttpResponse:
        reader = self.load_reader(request, casino)
        reject_unknown_parameters(request._request, "cursor", "limit")
        ready = Report.objects.filter(casino=reader.casino, state=JobState.DONE)
        page, has_more, cursor = paginate_rows(ready, "pk", request._request)
        made = [responses.report_response(one, _file_url(casino, one.pk)) for one in page]
        return self.respond(reader, request, responses.ReportsPage(casino, made, has_more, cursor))


def _file_url(casino: str, report: int) -> str:
    return casino_url("inspectorate:api-report-file", casino, report=report)


class ReportFileView(TokenAuthenticatedView):
    scope = Scope.REPORTS

    @extend_schema(**FILE)
    def get(self, request: Request, casino: str, report: int) -> HttpResponseBase:
        reader = self.load_reader(request, casino)
        reject_unknown_parameters(request._request)
        ready = Report.objects.filter(casino=reader.casino, state=JobState.DONE, pk=min(report, tree.MAX_SIZE))
        made = ready.select_related("casino").first()
        if made is None:
            raise NotFound
        try:
            file = made.path(".pdf").open("rb")
        except OSError as error:
            raise ReportGone from error
        record_download(reader, request._request, what=made.title, format="application/pdf")
        return FileResponse(file, as_attachment=True, filename=made.file_name, content_type="application/pdf")


findings = public(FindingsView.as_view())
finding = public(FindingView.as_view())
finding_cases = public(FindingCasesView.as_view())
rounds = public(RoundsView.as_view())
round = public(RoundDetailView.as_view())
coverage = public(CoverageView.as_view())
reports = public(ReportsView.as_view())
report_file = public(ReportFileView.as_view())
