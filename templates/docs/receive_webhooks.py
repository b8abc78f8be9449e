"""Receive Fairthrow's webhooks: python3 receive_webhooks.py PUBLIC_KEY PORT"""

import base64
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

KEY = Ed25519PublicKey.from_public_bytes(base64.b64decode(sys.argv[1].removeprefix("whpk_")))
OLDEST_SECONDS = 300
seen = set()


def is_genuine(headers, body):
    sent_at = headers.get("webhook-timestamp", "")
    if not sent_at.isdecimal() or abs(time.time() - int(sent_at)) > OLDEST_SECONDS:
        return False
    signed = f"{headers['webhook-id']}.{sent_at}.".encode() + body
    for signature in headers.get("webhook-signature", "").split():
        variant, _, text = signature.partition(",")
        try:
            if variant == "v1a":
                KEY.verify(base64.b64decode(text), signed)
                return True
        except (InvalidSignature, ValueError):
            continue
    return False


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        body = self.rfile.read(int(length) if length.isdecimal() else 0)
        if not is_genuine(self.headers, body):
            self.send_error(401)
            return
        if self.headers["webhook-id"] not in seen:  # the same id again is the same message again
            seen.add(self.headers["webhook-id"])
            print(body.decode(), flush=True)
        self.send_response(204)
        self.end_headers()


HTTPServer(("127.0.0.1", int(sys.argv[2])), Receiver).serve_forever()
