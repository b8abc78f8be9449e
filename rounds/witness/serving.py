"""`POST /add-checkpoint` (C2SP tlog-witness), by the standard library: a log may ask instead of being asked."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from rounds.ledger.errors import LedgerError, ProofError
from rounds.witness.errors import BadRequest, NotTrusted, OtherSize, UnknownLog
from rounds.witness.requests import MAX_BODY_BYTES, AddCheckpoint
from rounds.witness.witnessing import Witness

ADDRESS = "/add-checkpoint"
TEXT = "text/plain; charset=utf-8"
SIZE = "text/x.tlog.size"
STATUSES: dict[type[LedgerError], HTTPStatus] = {
    BadRequest: HTTPStatus.BAD_REQUEST,
    UnknownLog: HTTPStatus.NOT_FOUND,
    NotTrusted: HTTPStatus.FORBIDDEN,
    ProofError: HTTPStatus.UNPROCESSABLE_ENTITY,
}


def add_checkpoint(witness: Witness, body: bytes) -> tuple[HTTPStatus, str, str]:
    """Status, kind of text, and text of the answer."""
    try:
        asked = AddCheckpoint.parse(body)
        line = witness.cosign(witness.open(asked.note), asked.old_size, asked.proof)
    except OtherSize as error:
        return HTTPStatus.CONFLICT, SIZE, f"{error.kept_size}\n"
    except LedgerError as error:
        return STATUSES.get(type(error), HTTPStatus.INTERNAL_SERVER_ERROR), TEXT, f"{error.sentence}\n"
    except (sqlite3.Error, OSError):
        return HTTPStatus.INTERNAL_SERVER_ERROR, TEXT, "The witness cannot write down what it would sign.\n"
    return HTTPStatus.OK, TEXT, line


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "fairthrow-witness"
    sys_version = ""
    timeout = 30
    witness: Witness
    say: Callable[[str], None]

    def do_POST(self) -> None:
        if self.path != ADDRESS:
            self._answer(HTTPStatus.NOT_FOUND, TEXT, f"Only {ADDRESS} is answered.\n", close=True)
            return
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit() and len(length) < 10 and int(length) <= MAX_BODY_BYTES):
            self._answer(HTTPStatus.BAD_REQUEST, TEXT, f"A body of at most {MAX_BODY_BYTES} bytes.\n", close=True)
            return
        self._answer(*add_checkpoint(self.witness, self.rfile.read(int(length))))

    def _answer(self, status: HTTPStatus, kind: str, text: str, *, close: bool = False) -> None:
        raw = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(raw)))
        if close:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, format: str, *args: object) -> None:
        type(self).say(f"{self.client_address[0]} {format % args}")


class Server(ThreadingHTTPServer):
    daemon_threads = True


def make_server(witness: Witness, host: str, port: int, say: Callable[[str], None]) -> Server:
    bound = type("BoundHandler", (Handler,), {"witness": witness, "say": staticmethod(say)})
    return Server((host, port), bound)
