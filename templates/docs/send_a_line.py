"""Send one line to Fairthrow: python3 send_a_line.py https://SITE controller.pem TABLE SEQUENCE"""

import sys
from base64 import b64encode
from datetime import date, datetime, time, timedelta, timezone
from hashlib import sha256
from json import dumps
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from zoneinfo import ZoneInfo

from cryptography.hazmat.primitives.serialization import load_pem_private_key

# The casino's time zone, and the cut-over that it states. Without one, the gaming day is the calendar day: time(0).
ZONE, CUT_OVER = ZoneInfo("Australia/Sydney"), time(6)


def gaming_day_of(at: datetime) -> date:
    local = at.astimezone(ZONE)
    return local.date() if local.time() >= CUT_OVER else local.date() - timedelta(days=1)


site, key_file, table, sequence = sys.argv[1:]
with open(key_file, "rb") as file:
    key = load_pem_private_key(file.read(), password=None)
key_id = sha256(key.public_key().public_bytes_raw()).hexdigest()[:16]

sent_at = datetime.now(timezone.utc)
now = sent_at.isoformat()
body = {"gaming_day": gaming_day_of(sent_at).isoformat(), "limits": {"min": 500, "max": 50000}}
line = dumps({"kind": "table-opened", "table": table, "sequence": int(sequence), "at": now, "body": body}).encode()

# The root over a single line is that line's leaf hash: SHA-256 over a zero byte and the line.
root = sha256(b"\x00" + line).hexdigest()
signature = key.sign(f"fairthrow-batch-v1\n{key_id}\n{now}\n{root}\n".encode())

request = Request(site + "/api/v1/entries?wait=checkpoint", data=line + b"\n", method="POST")
request.add_header("Content-Type", "application/x-ndjson")
request.add_header("Fairthrow-Key", key_id)
request.add_header("Fairthrow-Sent-At", now)
request.add_header("Fairthrow-Signature", b64encode(signature).decode())
try:
    with urlopen(request) as answer:
        sys.stdout.write(answer.read().decode() + "\n")
except HTTPError as refusal:
    sys.exit(refusal.read().decode())
