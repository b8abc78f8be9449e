"""`POST /add-checkpoint` (C2SP tlog-witness) with the standard library: a log can push instead of being polled."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from rounds.transparency_log import errors
from rounds.witness.cosigner import Cosigner
from rounds.witness.errors import InvalidCheckpointRequest, LogNotFollowed, NotTrusted, SizeMismatch
from rounds.witness.http.add_checkpoint import MAX_BODY_BYTES, AddCheckpointRequest

ADD_CHECKPOINT_PATH = "/add-checkpoint"
TEXT_CONTENT_TYPE = "text/plain; charset=utf-8"
SIZE_CONTENT_TYPE = "text/x.tlog.size"
STATUS_BY_ERROR: dict[type[errors.LedgerError], HTTPStatus] = {
    InvalidCheckpointRequest: HTTPStatus.BAD_REQUEST,
    LogNotFollowed: HTTPStatus.NOT_FOUND,
    NotTrusted: HTTPStatus.FORBIDDEN,
    errors.ProofError: HTTPStatus.UNPROCESSABLE_ENTITY,
}


def handle_add_checkpoint(witness: Cosigner, body: bytes) -> tuple[HTTPStatus, str, str]:
    """Returns status, content type and text of the response."""
    try:
        request = AddCheckpointRequest.parse(body)
        line = witness.cosign(witness.open_checkpoint(request.note), request.old_size, request.proof)
    except SizeMismatch as error:
        return HTTPStatus.CONFLICT, SIZE_CONTENT_TYPE, f"{error.kept_size}\n"
    except errors.LedgerError as error:
        return (
            STATUS_BY_ERROR.get(type(error), HTTPStatus.INTERNAL_SERVER_ERROR),
            TEXT_CONTENT_TYPE,
            f"{error.sentence}\n",
        )
    except (sqlite3.Error, OSError):
        return (
            HTTPStatus.INTERNAL_SERVER_ERROR,
            TEXT_CONTENT_TYPE,
            "The witness cannot write down what it would sign.\n",
        )
    return HTTPStatus.OK, TEXT_CONTENT_TYPE, line


class AddCheckpointHandler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "fairthrow-witness"
    sys_version = ""
    timeout = 30
    witness: Cosigner
    say: Callable[[str], None]

    def do_POST(self) -> None:
        if self.path != ADD_CHECKPOINT_PATH:
            self._send_response(
                HTTPStatus.NOT_FOUND, TEXT_CONTENT_TYPE, f"Only {ADD_CHECKPOINT_PATH} is answered.\n", close=True
            )
            return
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit() and len(length) < 10 and int(length) <= MAX_BODY_BYTES):
            self._send_response(
                HTTPStatus.BAD_REQUEST, TEXT_CONTENT_TYPE, f"A body of at most {MAX_BODY_BYTES} bytes.\n", close=True
            )
            return
        self._send_response(*handle_add_checkpoint(self.witness, self.rfile.read(int(length))))

    def _send_response(self, status: HTTPStatus, kind: str, text: str, *, close: bool = False) -> None:
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


class WitnessServer(ThreadingHTTPServer):
    daemon_threads = True


def make_server(witness: Cosigner, host: str, port: int, say: Callable[[str], None]) -> WitnessServer:
    bound = type("BoundHandler", (AddCheckpointHandler,), {"witness": witness, "say": staticmethod(say)})
    return WitnessServer((host, port), bound)
