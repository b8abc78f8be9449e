import json
from collections.abc import Mapping
from typing import IO, Any

from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse
from rest_framework import serializers
from rest_framework.parsers import BaseParser, JSONParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tests.bench.plain.models import PlainRound, PlainWager

INSERT = """
INSERT INTO plain_entry (log_id, index, kind, "table", controller, sequence, recorded_at, body, leaf_sha256)
VALUES (1, nextval('plain_index'), 'round', %s, %s, %s, now(), %s, %s)
"""


class WagerSerializer(serializers.ModelSerializer[PlainWager]):
    class Meta:
        model = PlainWager
        exclude = ("id", "played")


class RoundSerializer(serializers.ModelSerializer[PlainRound]):
    wagers = WagerSerializer(many=True)

    class Meta:
        model = PlainRound
        exclude = ("id",)
        # Left to the unique constraint: the serializer would query it for every round.
        validators = ()


class LinesParser(BaseParser):
    """The lines of table controllers, without their envelope; the wager's id as `wager`, which is no primary key."""

    media_type = "application/x-ndjson"

    def parse(
        self, stream: IO[bytes], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        return [flatten_line(json.loads(line)) for line in stream.read().splitlines()]


def flatten_line(line: dict[str, Any]) -> dict[str, Any]:
    flat = {**line["body"], **{name: line[name] for name in ("table", "sequence", "at")}}
    flat["wagers"] = [{**wager, "wager": wager["id"]} for wager in flat["wagers"]]
    return flat


class RoundsView(APIView):
    parser_classes = (LinesParser, JSONParser)

    def post(self, request: Request) -> Response:
        serializer = RoundSerializer(data=request.data, many=True)
        serializer.is_valid(raise_exception=True)
        with transaction.atomic():
            kept = save(serializer.validated_data)
        return Response({"rounds": [row.pk for row in kept]}, status=201)


def save(rounds: list[dict[str, Any]]) -> list[PlainRound]:
    wagers = [each.pop("wagers") for each in rounds]
    kept: list[PlainRound] = PlainRound.objects.bulk_create(PlainRound(**each) for each in rounds)
    PlainWager.objects.bulk_create(
        PlainWager(played=played, **wager) for played, own in zip(kept, wagers, strict=True) for wager in own
    )
    return kept


def insert_entry(request: HttpRequest) -> HttpResponse:
    """Inserts one row unchecked, in its own transaction."""
    headers = request.headers
    row: list[Any] = [headers["Table"], headers["Controller"], int(headers["Sequence"]), request.body]
    with connection.cursor() as cursor:
        cursor.execute(INSERT, [*row, bytes.fromhex(headers["Leaf"])])
    return HttpResponse(status=201)
