"""Check a report offline: python3 -I verify_report.py REPORT.pdf [--certificate SHA256] [--key KEY] [--seen CHECKPOINT]

One signature must cover the whole file, by a certificate recorded in the ledger. The attachments must be the only
addition to the pages, the ledger must have recorded exactly these pages, every entry the report rests on must be in the
signed log, and every row must match its entry.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import re
import sys
import tempfile
import zlib
from pathlib import Path
from typing import Any

from compliance.core.web.pdf.attachments import attachment_update
from compliance.core.web.pdf.verify_signature import DEFAULT_SEAL_PLACE, SignatureError, SignedPdf, check_signature
from rounds.transparency_log.offline import EvidenceError, print_safely, verify

MAX_REPORT_BYTES = 512 * 1024 * 1024
MADE = "report-made"
KEY = "report-key"
DOCUMENT = "report.json"
EVIDENCE = "evidence/"
# Members that a row based on such an entry must quote word for word.
QUOTED_MEMBERS = {"finding": ("code", "sentence"), "checklist-answer": ("clause", "comment", "audit_said")}
ATTACHMENT_NAME = re.compile(r"(evidence/(packs/)?)?[A-Za-z0-9][A-Za-z0-9@._-]{0,150}")
EMBEDDED_FILE = re.compile(
    rb"(\d+) 0 obj\n<</Type/EmbeddedFile/Length (\d+)/Filter/FlateDecode/Subtype/application#2Foctet-stream>>\nstream\n"
)
FILE_SPEC = re.compile(
    rb"(\d+) 0 obj\n<</Type/Filespec/F\(([^()\\]*)\)/UF\(([^()\\]*)\)/EF<</F (\d+) 0 R>>>>\nendobj\n"
)


class AttachedFiles:
    """The pages and the attached files of a report, separated."""

    def __init__(self, content: bytes) -> None:
        cut = content.find(b"%%EOF\n\n")
        if cut == -1:
            raise EvidenceError("Nothing is attached to this file: it is no report, or it was saved anew.")
        self.pages = content[: cut + 6]
        self.packed = self._read_attachments(content, len(self.pages))
        if content != self.pages + attachment_update(self.pages, self.packed):
            raise EvidenceError("Something was added to the file, taken out of it, or changed in it.")
        self.files = {name: zlib.decompress(packed) for name, packed in self.packed.items()}

    @staticmethod
    def _read_attachments(content: bytes, start: int) -> dict[str, bytes]:
        packed: dict[str, bytes] = {}
        offset = start + 1
        while (found := EMBEDDED_FILE.match(content, offset)) is not None:
            end = found.end() + int(found[2])
            spec = FILE_SPEC.match(content, end + len(b"\nendstream\nendobj\n"))
            if spec is None or spec[2] != spec[3] or spec[4] != found[1]:
                raise EvidenceError("An attached file has no name.")
            name = spec[2].decode("ascii")
            if not ATTACHMENT_NAME.fullmatch(name) or name in packed:
                raise EvidenceError("An attached file has a name that no report gives.")
            packed[name] = content[found.end() : end]
            offset = spec.end()
        return packed


def check_certificate_recorded(signed: SignedPdf, entries: dict[int, dict[str, Any]]) -> str:
    """The certificate that signed the file must be recorded in the ledger."""
    keys = [json.loads(one["body"]) for one in entries.values() if json.loads(one["header"]).get("kind") == KEY]
    for body in keys:
        is_whole = hashlib.sha256(base64.b64decode(body["certificate"])).hexdigest() == body["certificate_sha256"]
        if body["certificate_sha256"] == signed.seal.certificate and is_whole:
            return f"The ledger recorded the certificate that signed it, {signed.seal.certificate}."
    raise EvidenceError("The file was signed with a certificate that the ledger did not record.")


def check_pages_recorded(attached: AttachedFiles, entries: dict[int, dict[str, Any]]) -> str:
    """One entry must record these pages. Other attached entries may record other reports that this one rests on."""
    digests = {
        "pages_sha256": hashlib.sha256(attached.pages).hexdigest(),
        "document_sha256": hashlib.sha256(attached.files[DOCUMENT]).hexdigest(),
    }
    made = [json.loads(one["body"]) for one in entries.values() if json.loads(one["header"]).get("kind") == MADE]
    body = next((one for one in made if digests.items() <= one.items()), None)
    if body is None:
        raise EvidenceError("The ledger recorded other pages than these, or none.")
    who = body["by"]["name"]
    return f"The ledger recorded these very pages: report {body['report']}, {body['title']}, asked for by {who}."


def format_amount(cents: int) -> str:
    whole, part = divmod(abs(cents), 100)
    return f"{'−' if cents < 0 else ''}${whole:,}.{part:02}"


def quoted_value(body: Any, path: str, key: str) -> Any:
    """The value at a path such as `limits.min`; a star selects the list member whose id is `key`."""
    for name in path.split("."):
        if name == "*":
            body = next((one for one in body or () if one.get("id") == key), None)
        else:
            body = body.get(name) if isinstance(body, dict) else None
    return body


def cell_matches(cell: str, value: Any) -> bool:
    if isinstance(value, int) and not isinstance(value, bool):
        return cell in (format_amount(value), f"{value:,}")
    return cell == ("" if value is None else value)


def check_report_row(row: dict[str, Any], headings: list[dict[str, Any]], entry: dict[str, Any]) -> None:
    """Checks the members that the row must quote, then the cells under headings with `quotes`."""
    body = json.loads(entry["body"])
    needed = QUOTED_MEMBERS.get(json.loads(entry["header"]).get("kind"), ())
    quoted = [body[name] for name in needed if isinstance(body.get(name), str)]
    if not all(one in row["cells"] for one in quoted):
        raise EvidenceError(f"A row does not say what entry {row['entry']} says.")
    for heading, cell in zip(headings, row["cells"], strict=True):
        path = heading.get("quotes")
        if path and not cell_matches(cell, quoted_value(body, path, row["cells"][0])):
            raise EvidenceError(f"A row says {cell!r} as {heading['text']!r}; entry {row['entry']} says otherwise.")


def check_report_rows(document: dict[str, Any], entries: dict[int, dict[str, Any]]) -> str:
    """Every row with an entry: the entry must be attached, and match what the row quotes."""
    count = 0
    for section in (*document["sections"], *document["basis"]):
        grid = section.get("grid") or {"rows": [], "headings": []}
        for row in grid["rows"]:
            if row.get("entry") is None:
                continue
            entry = entries.get(row["entry"])
            if entry is None:
                raise EvidenceError(f"A row rests on entry {row['entry']}, which is not attached.")
            check_report_row(row, grid["headings"], entry)
            count += 1
    missing = [index for index in document["entries"] if index not in entries]
    if missing:
        raise EvidenceError(f"Entry {missing[0]}, on which the report rests, is not attached.")
    return f"{count} rows say what their records say, amounts too; all {len(document['entries'])} records are attached."


def open_signed_report(content: bytes, fingerprint: str | None) -> SignedPdf:
    """The report as it was before signing, if its signature is valid."""
    signed = check_signature(content, fingerprint)
    if signed.seal.place != DEFAULT_SEAL_PLACE:
        raise EvidenceError("The line of the signature does not stand where reports have it.")
    print_safely(f"Signed {signed.seal.signed_at_text} UTC by the clock of the service.")
    print_safely("  proved: One signature covers the whole file, and was made with the key of its certificate.")
    return signed


def verify_report(path: Path, key: str | None, seen: Path | None, fingerprint: str | None = None) -> bool:
    try:
        if path.stat().st_size > MAX_REPORT_BYTES:
            raise EvidenceError("The file is larger than any report.")
        signed = open_signed_report(path.read_bytes(), fingerprint)
        attached = AttachedFiles(signed.content)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for file, content in attached.files.items():
                if file.startswith(EVIDENCE):
                    target = folder / file.removeprefix(EVIDENCE)
                    target.parent.mkdir(exist_ok=True)
                    target.write_bytes(content)
            if not verify(folder, key, seen):
                return False
            lines = (folder / "entries.ndjson").read_bytes().splitlines()
        entries = {one["index"]: one for one in map(json.loads, lines)}
        proved = [
            check_certificate_recorded(signed, entries),
            check_pages_recorded(attached, entries),
            check_report_rows(json.loads(attached.files[DOCUMENT]), entries),
        ]
    except (EvidenceError, SignatureError) as error:
        print_safely(f"  DOES NOT FIT: {error}")
    except Exception as error:  # any damage to the file must end in a message, not a traceback
        print_safely(f"  DOES NOT FIT: The file cannot be read as a report ({type(error).__name__}).")
    else:
        for sentence in proved:
            print_safely(f"  proved: {sentence}")
        if fingerprint is None:
            print_safely(
                f"  to do: compare this certificate with the one the service publishes: {signed.seal.certificate}"
            )
        print_safely("Result: the report is genuine.")
        return True
    print_safely("Result: this report must not be relied on.")
    return False


def verify_signature_alone(path: Path, fingerprint: str) -> bool:
    """For a letter or a sign, which has no proofs: checks only that the service signed it and that it is unchanged."""
    try:
        signed = check_signature(path.read_bytes(), fingerprint)
    except SignatureError as error:
        print_safely(f"  DOES NOT FIT: {error}")
    except Exception as error:  # any damage to the file must end in a message, not a traceback
        print_safely(f"  DOES NOT FIT: The file cannot be read as a signed PDF ({type(error).__name__}).")
    else:
        print_safely(f"Signed {signed.seal.signed_at_text} UTC by the clock of the service.")
        print_safely(
            "  proved: One signature covers the whole file, and was made with the key of the certificate you gave."
        )
        print_safely(f"  SHA-256 of the file without its signature: {hashlib.sha256(signed.content).hexdigest()}")
        print_safely("Result: the signature is genuine. Proofs and totals were not looked at.")
        return True
    print_safely("Result: this file must not be relied on.")
    return False


def main() -> int:
    parser = argparse.ArgumentParser(description="Check a report offline.")
    parser.add_argument("report", type=Path)
    parser.add_argument("--certificate", help="the SHA-256 of the service's certificate, from a source you trust")
    parser.add_argument(
        "--signature-alone",
        action="store_true",
        help="the file is a letter or a sign, without proofs; needs --certificate",
    )
    parser.add_argument("--key", help="the log's verifier key, from a source you trust")
    parser.add_argument("--seen", type=Path, help="a checkpoint of this log that you kept from earlier")
    given = parser.parse_args()
    if given.signature_alone:
        if given.certificate is None:
            parser.error("--signature-alone needs --certificate: without proofs nothing else says whose it is")
        return 0 if verify_signature_alone(given.report, given.certificate) else 1
    return 0 if verify_report(given.report, given.key, given.seen, given.certificate) else 1


if __name__ == "__main__":
    sys.exit(main())
