"""The signature of a PDF: the incremental update that carries it, and its check. Standard library only. The update is
a function of the PDF, the seal and the signature. The check rebuilds and compares it, so not even the holder of the
key can hide a change in it. This file is joined into verify_report.py."""

from __future__ import annotations

import hashlib
import re
from typing import NamedTuple

SUBFILTER = "ETSI.CAdES.detached"
# Left, bottom and font size of the signature line on the last page.
DEFAULT_SEAL_PLACE = "45 12 5"
MIN_KEY_BITS = 2048
# Width of the signature line, as a multiple of its font size.
LINE_WIDTH = 103
PDF_END = b"%%EOF\n"
# Fixed width for three numbers, so that offsets do not depend on their digits.
BYTE_RANGE_PLACEHOLDER = b" " * 32
LAST_STARTXREF = re.compile(rb"startxref\s+(\d+)\s+%%EOF\s*\Z")
XREF_SECTION = re.compile(rb"(\d+) (\d+)\s*\n")
PDF_OBJECT = re.compile(rb"(\d+) 0 obj\s*<<(.*?)>>\s*endobj", re.DOTALL)
PDF_TRAILER = re.compile(rb"trailer\s*<<(.*?)>>\s*startxref", re.DOTALL)
BYTE_RANGE = re.compile(rb"/ByteRange\s*\[\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*\]")
SUBFILTER_PATTERN = re.compile(rb"/SubFilter\s*/([A-Za-z0-9.]+)")
SEAL_COMMENT = re.compile(rb"% seal (\d{14}) ([0-9a-f]{64}) ([0-9.]{1,8} [0-9.]{1,8} [0-9.]{1,8})\n")


class SignatureError(Exception):
    """The signature is missing or invalid; the message says why."""


class Seal(NamedTuple):
    """When the PDF was signed (UTC, as 20261117060200),
    the SHA-256 of the certificate, and the place of the signature line."""

    signed_at: str
    certificate: str
    place: str = DEFAULT_SEAL_PLACE

    @property
    def signed_at_text(self) -> str:
        at = self.signed_at
        return f"{at[:4]}-{at[4:6]}-{at[6:8]} {at[8:10]}:{at[10:12]}"

    @property
    def printed_line(self) -> str:
        return (
            f"Signed electronically by the service, {self.signed_at_text} UTC by its clock; "
            f"certificate fingerprint SHA-256 "
            f"{self.certificate}; check with verify_report.py or any PDF reader."
        )

    @property
    def line_position(self) -> tuple[float, float, float]:
        left, bottom, size = (float(part) for part in self.place.split())
        return left, bottom, size


# ---------------------------------------------------------------- the update


class Pdf:
    """Minimal PDF reader: object offsets, catalogue and last page, as far as a signature needs them."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        last = LAST_STARTXREF.search(content, max(0, len(content) - 64))
        if last is None:
            raise SignatureError("What was signed is not a whole PDF.")
        self.start = int(last[1])
        self.offsets: dict[int, int] = {}
        self.trailer = self._read_xref_table(self.start)
        start = self.trailer
        while (before := re.search(rb"/Prev\s+(\d+)", start)) is not None:
            if int(before[1]) >= self.start:
                raise SignatureError("The PDF's tables lead in a circle.")
            start = self._read_xref_table(int(before[1]))
        self.size, self.root = self.read_integer(self.trailer, b"Size"), self.read_integer(self.trailer, b"Root")

    def _read_xref_table(self, start: int) -> bytes:
        """Reads one cross-reference table and returns its trailer.
        Tables are read newest first, so known offsets stay."""
        end = PDF_TRAILER.search(self.content, start)
        if self.content[start : start + 5] != b"xref\n" or end is None:
            raise SignatureError("The PDF has no table of its objects.")
        at = start + 5
        while (section := XREF_SECTION.match(self.content, at)) is not None:
            first, count, at = int(section[1]), int(section[2]), section.end()
            for number in range(count):
                entry = self.content[at + 20 * number : at + 20 * number + 18]
                if entry[17:18] == b"n":
                    self.offsets.setdefault(first + number, int(entry[:10]))
            at += 20 * count
        return end[1]

    @staticmethod
    def read_integer(text: bytes, name: bytes) -> int:
        found = re.search(rb"/" + name + rb"\s+(\d+)", text)
        if found is None:
            raise SignatureError(f"The PDF does not say its {name.decode()}.")
        return int(found[1])

    def object_body(self, number: int) -> bytes:
        found = PDF_OBJECT.match(self.content, self.offsets.get(number, -1)) if number in self.offsets else None
        if found is None or int(found[1]) != number:
            raise SignatureError("An object of the PDF is not where its table says.")
        return found[2].strip()

    @property
    def last_page(self) -> int:
        kids = re.search(
            rb"/Kids\s*\[(.*?)\]", self.object_body(self.read_integer(self.object_body(self.root), b"Pages")), re.DOTALL
        )
        pages = re.findall(rb"(\d+) 0 R", kids[1]) if kids else []
        if not pages:
            raise SignatureError("The PDF has no pages.")
        return int(pages[-1])


def signature_update(content: bytes, seal: Seal, signature: bytes) -> tuple[bytes, int, int]:
    """The update to append to the PDF, and start and end offset of the signature in the whole file."""
    pdf = Pdf(content)
    page, field, value, look = pdf.last_page, pdf.size, pdf.size + 1, pdf.size + 2
    catalogue, sheet = pdf.object_body(pdf.root), pdf.object_body(page)
    if b"/AcroForm" in catalogue or b"/Perms" in catalogue or b"/Annots" in sheet:
        raise SignatureError("The file has several signatures, or a form: the service signs once, and has none.")
    update = bytearray(b"%% seal %b %b %b\n" % tuple(part.encode("ascii") for part in seal))
    places: dict[int, int] = {}

    def add_object(number: int, text: bytes) -> None:
        places[number] = len(content) + len(update)
        update.extend(b"%d 0 obj\n%b\nendobj\n" % (number, text))

    form = b"/AcroForm<</Fields[%d 0 R]/SigFlags 3>>/Perms<</DocMDP %d 0 R>>" % (field, value)
    add_object(pdf.root, b"<<%b %b>>" % (catalogue, form))
    add_object(page, b"<<%b /Annots[%d 0 R]>>" % (sheet, field))
    add_object(field, _signature_field(seal, b"/P %d 0 R/V %d 0 R/AP<</N %d 0 R>>" % (page, value, look)))
    add_object(look, _signature_appearance(seal))
    add_object(value, _signature_dictionary(seal, signature))
    hole_end = len(content) + len(update) - len(b">>\nendobj\n")
    hole = hole_end - 2 * len(signature) - 2
    start = len(content) + len(update)
    update += b"xref\n" + b"".join(b"%d 1\n%010d 00000 n \n" % one for one in sorted(places.items()))
    info = re.search(rb" ?/Info\s+\d+ 0 R", pdf.trailer)
    update += b"trailer\n<</Size %d /Root %d 0 R%b" % (look + 1, pdf.root, info[0] if info else b"")
    update += b" /Prev %d>>\nstartxref\n%d\n%%%%EOF\n" % (pdf.start, start)
    spans = b"%-10d %-10d %-10d" % (hole, hole_end, len(content) + len(update) - hole_end)
    at = hole - len(content) - len(b"]/Contents") - len(BYTE_RANGE_PLACEHOLDER)
    update[at : at + len(BYTE_RANGE_PLACEHOLDER)] = spans
    return bytes(update), hole, hole_end


def _signature_field(seal: Seal, references: bytes) -> bytes:
    left, bottom, size = seal.line_position
    box = b"%g %g %g %g" % (left, bottom - size * 0.25, left + LINE_WIDTH * size, bottom + size)
    head = b"<</Type/Annot/Subtype/Widget/FT/Sig/T(Signature)/F 132/TU(%b)" % seal.printed_line.encode("ascii")
    return b"%b/Rect[%b]%b>>" % (head, box, references)


def _signature_appearance(seal: Seal) -> bytes:
    """The signature line as printed, in a font that every PDF reader has."""
    _, _, size = seal.line_position
    line = seal.printed_line.encode("ascii")
    drawn = b"q 0.29 0.36 0.39 rg BT /F %g Tf 0 %g Td (%b) Tj ET Q" % (size, size * 0.25, line)
    font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"
    head = b"<</Type/XObject/Subtype/Form/BBox[0 0 %g %g]" % (LINE_WIDTH * size, size * 1.25)
    rest = b"/Resources<</Font<</F %b>>>>/Length %d>>\nstream\n%b\nendstream" % (font, len(drawn), drawn)
    return head + rest


def _signature_dictionary(seal: Seal, signature: bytes) -> bytes:
    """The signature dictionary. DocMDP P 1: no change is allowed afterwards."""
    kind = b"<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/%b/M(D:%bZ)" % (SUBFILTER.encode(), seal.signed_at.encode())
    allows = b"<</Type/SigRef/TransformMethod/DocMDP/TransformParams<</Type/TransformParams/P 1/V/1.2>>>>"
    return b"%b/Reference[%b]/ByteRange[0 %b]/Contents<%b>>>" % (
        kind,
        allows,
        BYTE_RANGE_PLACEHOLDER,
        signature.hex().encode(),
    )


# ---------------------------------------------------------------- the CMS container (RFC 5652), one signer, RSA


class DerValue(NamedTuple):
    """One DER value: its tag, its content, and the whole encoding with tag and length."""

    tag: int
    content: bytes
    whole: bytes

    def children(self) -> list[DerValue]:
        return read_der_values(self.content)


def read_der_values(content: bytes) -> list[DerValue]:
    """Parses consecutive DER values. Lengths must be definite and minimal, so that there is only one encoding."""
    found, at = [], 0
    while at < len(content):
        start, tag, length = at, content[at], content[at + 1]
        at += 2
        if length & 0x80:
            count = length & 0x7F
            length = int.from_bytes(content[at : at + count], "big")
            if not 1 <= count <= 4 or length < 0x80 or content[at] == 0:
                raise SignatureError("The signature is not written as DER demands.")
            at += count
        if tag & 0x1F == 0x1F or at + length > len(content):
            raise SignatureError("The signature is cut off, or not written as DER demands.")
        found.append(DerValue(tag, content[at : at + length], content[start : at + length]))
        at += length
    return found


SEQUENCE, SET, INTEGER, OCTETS, OID = 0x30, 0x31, 0x02, 0x04, 0x06
SIGNED_DATA = bytes.fromhex("2a864886f70d010702")
DATA = bytes.fromhex("2a864886f70d010701")
CONTENT_TYPE = bytes.fromhex("2a864886f70d010903")
MESSAGE_DIGEST = bytes.fromhex("2a864886f70d010904")
SIGNING_CERTIFICATE = bytes.fromhex("2a864886f70d010910022f")
RSA = bytes.fromhex("2a864886f70d010101")
# AlgorithmIdentifier encodings, with and without the optional NULL parameter.
SHA256 = tuple(bytes.fromhex(text) for text in ("300b0609608648016503040201", "300d06096086480165030402010500"))
RSA_WITH_SHA256 = tuple(bytes.fromhex(f"300d06092a864886f70d0101{text}0500") for text in ("01", "0b"))
VERSION = b"\x01"
# DigestInfo prefix of PKCS #1 for SHA-256.
DIGEST_INFO = bytes.fromhex("3031300d060960864801650304020105000420")


def expect_der_tags(parts: list[DerValue], *tags: int) -> list[DerValue]:
    if [part.tag for part in parts] != list(tags):
        raise SignatureError("The signature has other parts than the service writes.")
    return parts


class Certificate(NamedTuple):
    sha256: str
    issuer: bytes
    serial: bytes
    since: str
    until: str
    modulus: int
    exponent: int


def read_certificate(whole: bytes) -> Certificate:
    [outer] = expect_der_tags(read_der_values(whole), SEQUENCE)
    parts = outer.children()[0].children()
    serial, _, issuer, validity, _, public = parts[1 if parts[0].tag == 0xA0 else 0 :][:6]
    algorithm, bits = public.children()
    if algorithm.children()[0].content != RSA:
        raise SignatureError("The certificate's key is not an RSA key.")
    [key] = expect_der_tags(read_der_values(bits.content[1:]), SEQUENCE)
    modulus, exponent = (
        int.from_bytes(part.content, "big") for part in expect_der_tags(key.children(), INTEGER, INTEGER)
    )
    since, until = (_read_der_time(part) for part in validity.children())
    return Certificate(hashlib.sha256(whole).hexdigest(), issuer.whole, serial.whole, since, until, modulus, exponent)


def _read_der_time(part: DerValue) -> str:
    """As 20261117060200, in UTC. Two-digit years are 1950 to 2049."""
    text = part.content.decode("ascii").rstrip("Z")
    return text if part.tag == 0x18 else ("20" if text < "50" else "19") + text


def is_rsa_signature_valid(certificate: Certificate, message: bytes, signature: bytes) -> bool:
    """PKCS #1 v1.5 with SHA-256. The whole padded block is built and compared; nothing in it is parsed."""
    size = (certificate.modulus.bit_length() + 7) // 8
    number = int.from_bytes(signature, "big")
    if len(signature) != size or number >= certificate.modulus or certificate.exponent < 3:
        return False
    block = DIGEST_INFO + hashlib.sha256(message).digest()
    padded = b"\x00\x01" + b"\xff" * (size - len(block) - 3) + b"\x00" + block
    return pow(number, certificate.exponent, certificate.modulus).to_bytes(size, "big") == padded


def check_cms_signature(container: bytes, digest: bytes) -> Certificate:
    """Checks the CMS signature of a digest and returns the signer's certificate."""
    [info] = expect_der_tags(read_der_values(container), SEQUENCE)
    kind, wrapped = expect_der_tags(info.children(), OID, 0xA0)
    [signed] = expect_der_tags(wrapped.children(), SEQUENCE)
    version, digests, inner, bag, signers = expect_der_tags(signed.children(), INTEGER, SET, SEQUENCE, 0xA0, SET)
    if kind.content != SIGNED_DATA or [part.content for part in inner.children()] != [DATA]:
        raise SignatureError("The signature does not sign this file, but something inside itself.")
    if len(signers.children()) != 1:
        raise SignatureError("The signature has not exactly one signer.")
    # A seventh part would be unsigned attributes, which anybody could add.
    number, signer_id, hashed, attributes, method, value = expect_der_tags(
        signers.children()[0].children(), INTEGER, SEQUENCE, SEQUENCE, 0xA0, SEQUENCE, OCTETS
    )
    if digests.content != hashed.whole or hashed.whole not in SHA256 or method.whole not in RSA_WITH_SHA256:
        raise SignatureError("The signature is not made with RSA and SHA-256.")
    if not version.content == number.content == VERSION:
        raise SignatureError("The signature is of another version than the service writes.")
    signed_attributes = _signed_attributes(attributes)
    if signed_attributes[CONTENT_TYPE].content != DATA or signed_attributes[MESSAGE_DIGEST].content != digest:
        raise SignatureError("The file was changed after it was signed.")
    certificate = _signer_certificate(bag, signer_id, signed_attributes[SIGNING_CERTIFICATE])
    if certificate.modulus.bit_length() < MIN_KEY_BITS:
        raise SignatureError(f"The certificate's key is shorter than {MIN_KEY_BITS} bits.")
    if not is_rsa_signature_valid(certificate, bytes([SET]) + attributes.whole[1:], value.content):
        raise SignatureError("The signature was not made with the key of its certificate.")
    return certificate


def _signed_attributes(attributes: DerValue) -> dict[bytes, DerValue]:
    """The signed attributes, each exactly once."""
    by_oid: dict[bytes, DerValue] = {}
    for one in attributes.children():
        name, values = expect_der_tags(one.children(), OID, SET)
        if name.content in by_oid or len(values.children()) != 1:
            raise SignatureError("The signature says something twice.")
        by_oid[name.content] = values.children()[0]
    if set(by_oid) != {CONTENT_TYPE, MESSAGE_DIGEST, SIGNING_CERTIFICATE}:
        raise SignatureError("The signature does not say just what it signs, and with which certificate.")
    return by_oid


def _signer_certificate(bag: DerValue, signer_id: DerValue, signing_certificate: DerValue) -> Certificate:
    """The signer's certificate, which must match both issuer and serial number and the signed digest."""
    named = signing_certificate.children()[0].children()[0].children()
    digest = next((part.content for part in named if part.tag == OCTETS), b"")
    for one in bag.children():
        if hashlib.sha256(one.whole).digest() == digest and named[0].tag == OCTETS:
            certificate = read_certificate(one.whole)
            if signer_id.content == certificate.issuer + certificate.serial:
                return certificate
    raise SignatureError("The certificate that the signature names is not in it.")


# ---------------------------------------------------------------- the check


class SignedPdf(NamedTuple):
    """The PDF as it was before signing, and its seal."""

    content: bytes
    seal: Seal


def normalize_fingerprint(text: str) -> str:
    return re.sub(r"[\s:]", "", text).lower()


def last_byte_range(content: bytes) -> re.Match[bytes] | None:
    """The last /ByteRange in the file.
    Text in the document may look like one, but none follows the signature's own."""
    return BYTE_RANGE.match(content, content.rfind(b"/ByteRange")) if b"/ByteRange" in content else None


def check_signature(content: bytes, fingerprint: str | None = None) -> SignedPdf:
    """Checks the signature.
    Raises unless it covers the whole file and was made by the key of the certificate it names."""
    found = last_byte_range(content)
    if found is None:
        raise SignatureError("The file is not signed.")
    first, hole, hole_end, length = (int(number) for number in found.groups())
    if first != 0 or not found.end() < hole < hole_end < hole_end + length:
        raise SignatureError("The signature does not cover the file from its beginning.")
    if hole_end + length != len(content):
        raise SignatureError("Something was added after what was signed, or cut off.")
    if content[hole : hole + 1] != b"<" or content[hole_end - 1 : hole_end] != b">":
        raise SignatureError("The signature leaves out more of the file than itself.")
    container = _decode_hex_signature(content[hole + 1 : hole_end - 1])
    before = content[: content.rfind(PDF_END, 0, hole) + len(PDF_END)]
    if SUBFILTER_PATTERN.findall(content, len(before)) != [SUBFILTER.encode()]:
        raise SignatureError(f"The signature is not of the kind {SUBFILTER}.")
    seal = _read_seal(content, len(before))
    if content != before + signature_update(before, seal, container)[0]:
        raise SignatureError("Something was signed along that is not part of a signature, or was changed.")
    digest = hashlib.sha256(content[:hole] + content[hole_end:]).digest()
    certificate = check_cms_signature(container, digest)
    _check_certificate(certificate, seal, fingerprint)
    return SignedPdf(before, seal)


def _decode_hex_signature(text: bytes) -> bytes:
    if not re.fullmatch(rb"([0-9a-f]{2})+", text):
        raise SignatureError("The signature is not written in hexadecimal.")
    return bytes.fromhex(text.decode("ascii"))


def _read_seal(content: bytes, start: int) -> Seal:
    found = SEAL_COMMENT.match(content, start)
    if found is None:
        raise SignatureError("The signature is not one that the service writes.")
    return Seal(*(part.decode("ascii") for part in found.groups()))


def _check_certificate(certificate: Certificate, seal: Seal, fingerprint: str | None) -> None:
    if certificate.sha256 != seal.certificate:
        raise SignatureError("The line on the last page names another certificate than the one that signed.")
    if not certificate.since <= seal.signed_at <= certificate.until:
        raise SignatureError("The certificate was not valid when the file says it was signed.")
    if fingerprint is not None and normalize_fingerprint(fingerprint) != certificate.sha256:
        raise SignatureError(f"It was signed with another certificate than the one you gave: {certificate.sha256}.")
