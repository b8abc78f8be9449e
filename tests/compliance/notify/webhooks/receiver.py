"""A receiver for a test: takes messages over real HTTP or HTTPS on loopback, and responds as configured."""

import datetime as clock
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import IPv4Address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec


@dataclass
class Received:
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]


@dataclass
class Receiver:
    """`answers` are used one after the other, the last for ever: a status, or seconds of silence."""

    port: int = 0
    scheme: str = "http"
    answers: list[int | float] = field(default_factory=lambda: [204])
    location: str = ""
    # Sent instead of a response, byte by byte.
    drips: bytes = b""
    extra: bytes = b""
    received: list[Received] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def address(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.port}/hooks?from=fairthrow"

    @property
    def ids(self) -> list[str]:
        return [one.id for one in self.received]

    def next_answer(self) -> int | float:
        with self.lock:
            return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


@contextmanager
def receiver(tls: ssl.SSLContext | None = None, port: int = 0) -> Iterator[Receiver]:
    told = Receiver(scheme="https" if tls else "http")

    class Conversation(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            told.received.append(Received(self.path, headers, body))
            answer = told.next_answer()
            if told.drips:
                for byte in told.drips:
                    self.wfile.write(bytes([byte]))
                    time.sleep(0.1)
                return
            if isinstance(answer, float):
                time.sleep(answer)
                answer = 204
            self.send_response(answer)
            if told.location:
                self.send_header("Location", told.location)
            self.end_headers()
            self.wfile.write(told.extra)

        def do_GET(self) -> None:
            raise AssertionError("nobody was to come here")

        def log_message(self, format: str, *args: object) -> None:
            pass

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True
        block_on_close = False

        def handle_error(self, request: object, client_address: object) -> None:
            """Ignored: a client that was cut off breaks the pipe."""

    server = Quiet(("127.0.0.1", port), Conversation)
    if tls:
        server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    told.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield told
    finally:
        server.shutdown()
        server.server_close()


def certify(folder: Path, *names: str) -> tuple[ssl.SSLContext, Path]:
    """Server-side TLS context for 127.0.0.1 or these names, and the CA file to trust it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "receiver")])
    now = clock.datetime.now(clock.UTC)
    said: list[x509.GeneralName] = [x509.DNSName(each) for each in names]
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - clock.timedelta(days=1))
        .not_valid_after(now + clock.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(said or [x509.IPAddress(IPv4Address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    trusted, private = folder / "receiver.pem", folder / "receiver.key"
    trusted.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    private.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(trusted, private)
    return context, trusted
