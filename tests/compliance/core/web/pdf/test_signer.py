"""PDF signatures: accepted by independent readers, refused if anything was changed, added or signed by others."""

import hashlib
import random
import stat
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from asn1crypto import cms
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.x509.oid import NameOID
from pyhanko.pdf_utils.generic import DictionaryObject, pdf_name
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pytest_django import Settings
from reportlab.pdfgen.canvas import Canvas

from compliance.core.web.pdf import verify_signature
from compliance.core.web.pdf.signer import CannotSign, ReportKey, load_report_key, make_report_key, sign_pdf
from compliance.core.web.pdf.verify_signature import Seal, SignatureError, check_signature, signature_update
from tests.pdf_signatures import (
    PDFSIG,
    container_of,
    pdfsig_accepts,
    pdfsig_says,
    primitives_accept,
    pyhanko_accepts,
    readers_that_accept,
)

NOW = datetime(2026, 11, 17, 6, 2, tzinfo=UTC)


def a_pdf(words: str = "Hello") -> bytes:
    content = BytesIO()
    canvas = Canvas(content, invariant=1)
    for page in ("first", "last"):
        canvas.drawString(100, 400, f"{words}, {page} page")
        canvas.showPage()
    canvas.setTitle("A letter that speaks of /ByteRange[0 1 2 3] and %%EOF")
    canvas.save()
    return content.getvalue()


def is_refused(content: bytes) -> bool:
    try:
        check_signature(content)
    except (SignatureError, ValueError, LookupError):
        return True
    return False


def test_every_reader_accepts_it_and_the_pages_stay_as_they_were(tmp_path: Path) -> None:
    before = a_pdf()
    whole = sign_pdf(before, NOW)
    assert whole.startswith(before)
    accepted = readers_that_accept(whole, tmp_path)
    assert {"pyHanko", "primitives"} <= set(accepted)
    assert all(accepted.values()), accepted
    found = check_signature(whole, load_report_key().sha256)
    assert (found.content, found.seal.signed_at) == (before, "20261117060200")
    assert b"/P 1/V/1.2" in whole, "no change is allowed after it"
    assert found.seal.printed_line.encode() in whole, "the line on the last page"
    assert load_report_key().sha256 in found.seal.printed_line
    if PDFSIG:
        said = pdfsig_says(tmp_path / "read.pdf")
        assert "ETSI.CAdES.detached" in said
        assert "Fairthrow report signing, " in said


def test_any_byte_changed_is_refused_by_all(tmp_path: Path) -> None:
    """More than two hundred positions all over the file, signature included, and a hundred insertions."""
    whole = sign_pdf(a_pdf(), NOW)
    chance = random.Random(20261117)
    hole = whole.rfind(b"/Contents<")
    places = [*range(hole + 10, hole + 40), *chance.sample(range(len(whole)), 220), 0, len(whole) - 2]
    assert sum(not hole < place < hole + 4000 for place in places) >= 100
    for place in places:
        changed = bytearray(whole)
        changed[place] ^= 1 << chance.randrange(8)
        assert is_refused(bytes(changed)), place
        if not hole + 9 < place < whole.find(b">", hole):
            assert not primitives_accept(bytes(changed)), place
            assert not pyhanko_accepts(bytes(changed)), place
    for number in range(100):
        added = whole + chance.randbytes(1 + number)
        assert is_refused(added), number
        assert not pyhanko_accepts(added), number
    for cut in (1, 7, 100, 3000):
        assert is_refused(whole[:-cut]), cut


def test_popplers_reader_refuses_what_was_changed_wherever_there_is_one(tmp_path: Path) -> None:
    """pdfsig uses NSS, which shares no code with the signer."""
    whole, path = sign_pdf(a_pdf(), NOW), tmp_path / "changed.pdf"
    chance = random.Random(7)
    hole = whole.rfind(b"/Contents<")
    end = whole.find(b">", hole)
    places = chance.sample([*range(hole), *range(end + 1, len(whole))], 200)
    for place in places if PDFSIG else ():
        changed = bytearray(whole)
        changed[place] ^= 1 << chance.randrange(8)
        path.write_bytes(changed)
        assert not pdfsig_accepts(path), place
    for number in range(20 if PDFSIG else 0):
        path.write_bytes(whole + chance.randbytes(1 + 50 * number))
        assert not pdfsig_accepts(path), number


def as_it_is(content: bytes) -> bytes:
    return content


def forged(
    before: bytes,
    change: Callable[[bytes], bytes] = as_it_is,
    grow: int = 0,
    seal: Seal | None = None,
    key: ReportKey | None = None,
    repack: Callable[[bytes], bytes] = as_it_is,
) -> bytes:
    """Signed with the service's key, as a thief might, but not in the form the service writes. `grow`: by how many
    bytes the gap exceeds the signature. `repack`: how the container is altered."""
    key = key or load_report_key()
    seal = seal or Seal("20261117060200", key.sha256)
    text = change(before + signature_update(before, seal, repack(key.sign_digest(bytes(32))))[0])
    hole = text.rfind(b"/Contents<") + 9
    end = text.find(b">", hole) + 1 + grow
    at = text.rfind(b"/ByteRange[0 ") + 13
    text = text[:at] + b"%-10d %-10d %-10d" % (hole, end, len(text) - end) + text[at + 32 :]
    container = repack(key.sign_digest(hashlib.sha256(text[:hole] + text[end:]).digest()))
    return text[: hole + 1] + container.hex().encode() + text[end - grow - 1 :]


def test_what_a_thief_of_the_key_writes_is_refused_in_words(tmp_path: Path) -> None:
    before = a_pdf()
    good = forged(before)
    assert check_signature(good).content == before, "the forger signs as well as the service"
    other_kind = forged(before, lambda text: text.replace(b"/ETSI.CAdES.detached", b"/adbe.pkcs7.detached"))
    more = forged(before, lambda text: text.replace(b"% seal", b"3 0 obj\n<<>>\nendobj\n% seal"))
    moved = forged(before, lambda text: text.replace(b"/F 132", b"/F 130"))
    louder = forged(before, lambda text: text.replace(b"/P 1/V/1.2", b"/P 2/V/1.2"))
    another = forged(before, seal=Seal("20261117060200", "0" * 64))
    early = forged(before, seal=Seal("19991117060200", load_report_key().sha256))
    wide = forged(before, lambda text: text.replace(b">>>\nendobj", b">/Evil(words)>>\nendobj"), grow=12)
    for name, content, words in (
        ("another kind", other_kind, "not of the kind"),
        ("an object beside it", more, "not one that the service writes"),
        ("a hidden line", moved, "signed along"),
        ("changes allowed", louder, "signed along"),
        ("a wider hole", wide, "leaves out more of the file than itself"),
        ("two signatures", signed_twice(before), "several signatures"),
        ("a line about another certificate", another, "names another certificate"),
        ("a time before the certificate's", early, "not valid when"),
        ("a note that nobody signed", forged(before, repack=with_a_note), "other parts than the service writes"),
        ("two signers", forged(before, repack=with_two_signers), "not exactly one signer"),
        ("another version", forged(before, repack=of_version_3), "another version"),
        ("a short key", forged(before, key=key_of(1024)), "shorter than 2048 bits"),
        ("another start", good.replace(b"/ByteRange[0 ", b"/ByteRange[1 "), "from its beginning"),
        ("an update after it", good + good[-300:], "added after"),
        ("no signature", before.replace(b"/ByteRange", b"/Nothing"), "not signed"),
    ):
        with pytest.raises(SignatureError, match=words):
            check_signature(content)
        assert content != good, name


def with_a_note(container: bytes) -> bytes:
    info = cms.ContentInfo.load(container)
    note = cms.CMSAttribute({"type": "content_type", "values": ["data"]})
    info["content"]["signer_infos"][0]["unsigned_attrs"] = cms.CMSAttributes([note])
    return bytes(info.dump(force=True))


def with_two_signers(container: bytes) -> bytes:
    info = cms.ContentInfo.load(container)
    [one] = info["content"]["signer_infos"]
    info["content"]["signer_infos"] = cms.SignerInfos([one, one])
    return bytes(info.dump(force=True))


def of_version_3(container: bytes) -> bytes:
    info = cms.ContentInfo.load(container)
    info["content"]["version"] = "v3"
    return bytes(info.dump(force=True))


def key_of(bits: int) -> ReportKey:
    key = rsa.generate_private_key(public_exponent=65537, key_size=bits)
    own = x509.load_pem_x509_certificate(certificate("Short", key)).public_bytes(serialization.Encoding.DER)
    form = serialization.PrivateFormat.PKCS8
    private = key.private_bytes(serialization.Encoding.DER, form, serialization.NoEncryption())
    return ReportKey(private, own, (), NOW, NOW)


def signed_twice(before: bytes) -> bytes:
    """As if unsigned; the form that the first signature left gives it away."""
    once = sign_pdf(before, NOW)
    hidden = once.replace(b"/AcroForm", b"/AcroFxrm").replace(b"/Perms", b"/Pexms").replace(b"/Annots", b"/Annxts")
    twice = sign_pdf(hidden, NOW)
    return once + twice[len(once) :]


def test_an_honest_update_by_another_program_is_refused(tmp_path: Path) -> None:
    """Saved with an annotation by a PDF reader: the signature covers the earlier revision, not the file."""
    writer = IncrementalPdfFileWriter(BytesIO(sign_pdf(a_pdf(), NOW)))
    note = {pdf_name("/Type"): pdf_name("/Annot"), pdf_name("/Subtype"): pdf_name("/Text")}
    writer.root[pdf_name("/Note")] = writer.add_object(DictionaryObject(note))
    writer.update_root()
    changed = BytesIO()
    writer.write(changed)
    assert not any(readers_that_accept(changed.getvalue(), tmp_path).values())
    with pytest.raises(SignatureError, match="added after"):
        check_signature(changed.getvalue())


def test_another_key_is_told_by_its_fingerprint(settings: Settings, tmp_path: Path) -> None:
    ours = load_report_key().sha256
    settings.REPORT_KEY_FILE = tmp_path / "other.pem"
    make_report_key(settings.REPORT_KEY_FILE, NOW)
    assert stat.S_IMODE(settings.REPORT_KEY_FILE.stat().st_mode) == 0o600
    whole = sign_pdf(a_pdf(), NOW)
    assert all(readers_that_accept(whole, tmp_path).values()), "it is a good signature, only not ours"
    with pytest.raises(SignatureError, match="another certificate than the one you gave"):
        check_signature(whole, ours)
    with_colons = ":".join(load_report_key().sha256[place : place + 2] for place in range(0, 64, 2)).upper()
    assert check_signature(whole, with_colons)


def certificate(name: str, key: Any, issuer: str = "", by: Any = None, until: datetime | None = None) -> bytes:
    names = [x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, one)]) for one in (name, issuer or name)]
    made = x509.CertificateBuilder(names[1], names[0], key.public_key(), x509.random_serial_number())
    made = made.not_valid_before(NOW - timedelta(days=9)).not_valid_after(until or NOW + timedelta(days=9))
    made = made.add_extension(x509.BasicConstraints(ca=not issuer, path_length=None), critical=True)
    return made.sign(by or key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)


def pem(key: Any) -> bytes:
    made: bytes = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return made


def test_a_key_of_an_authority_brings_its_chain(settings: Settings, tmp_path: Path) -> None:
    authority, own = (rsa.generate_private_key(public_exponent=65537, key_size=2048) for _ in range(2))
    settings.REPORT_KEY_FILE = tmp_path / "issued.pem"
    chain = certificate("Harbour, reports", own, "An authority", authority) + certificate("An authority", authority)
    settings.REPORT_KEY_FILE.write_bytes(chain + pem(own))
    whole = sign_pdf(a_pdf(), NOW)
    assert check_signature(whole, load_report_key().sha256)
    container, _ = container_of(whole)
    bag = cms.ContentInfo.load(container)["content"]["certificates"]
    assert {one.chosen.subject.native["common_name"] for one in bag} == {"Harbour, reports", "An authority"}
    accepted = readers_that_accept(whole, tmp_path)
    assert all(accepted.values()), accepted


def test_a_key_that_cannot_sign_is_refused_and_nothing_goes_out_unsigned(settings: Settings, tmp_path: Path) -> None:
    own, short = (rsa.generate_private_key(public_exponent=65537, key_size=bits) for bits in (2048, 1024))
    curve = ec.generate_private_key(ec.SECP256R1())
    over = certificate("Over", own, until=NOW - timedelta(seconds=1))
    for content, words in (
        (b"", "cannot be used"),
        (pem(own), "cannot be used"),
        (
            pem(own) + certificate("Another's", rsa.generate_private_key(public_exponent=65537, key_size=2048)),
            "belongs",
        ),
        (pem(short) + certificate("Short", short), "2048 bits or more"),
        (pem(curve) + certificate("Curve", curve), "RSA"),
        (pem(own) + over, "valid from"),
    ):
        settings.REPORT_KEY_FILE = tmp_path / f"{len(list(tmp_path.iterdir()))}.pem"
        settings.REPORT_KEY_FILE.write_bytes(content)
        with pytest.raises(CannotSign, match=words):
            sign_pdf(a_pdf(), NOW)
    settings.REPORT_KEY_FILE = tmp_path / "none.pem"
    with pytest.raises(CannotSign, match="no report key"):
        sign_pdf(a_pdf(), NOW)


def test_the_standard_librarys_rsa_agrees_with_openssl() -> None:
    """The hand-written PKCS #1 v1.5, with valid signatures, other messages, and blocks of the wrong length."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    encoded = x509.load_pem_x509_certificate(certificate("Own", key)).public_bytes(serialization.Encoding.DER)
    read = verify_signature.read_certificate(encoded)
    assert (read.modulus, read.exponent) == (key.public_key().public_numbers().n, 65537)
    for message in (b"", b"words", bytes(1000)):
        good = key.sign(message, padding.PKCS1v15(), hashes.SHA256())
        assert verify_signature.is_rsa_signature_valid(read, message, good)
        assert not verify_signature.is_rsa_signature_valid(read, message + b"x", good)
        assert not verify_signature.is_rsa_signature_valid(read, message, b"\0" + good)
        larger = (int.from_bytes(good, "big") + read.modulus).to_bytes(257, "big").lstrip(b"\0")
        assert not verify_signature.is_rsa_signature_valid(read, message, larger), "the same number once more round"
        weak = key.sign(message, padding.PKCS1v15(), hashes.SHA384())
        assert not verify_signature.is_rsa_signature_valid(read, message, weak)
        pss = key.sign(message, padding.PSS(padding.MGF1(hashes.SHA256()), 32), hashes.SHA256())
        assert not verify_signature.is_rsa_signature_valid(read, message, pss)
