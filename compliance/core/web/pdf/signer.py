"""Signs every PDF that the service hands out, with a key in a file outside the database. PAdES B-B, no changes allowed
afterwards (DocMDP 1), time from the service's clock. An incremental update: the original bytes stay unchanged.
verify_signature.py builds the update and checks it."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID
from django.conf import settings
from django.http import HttpResponse

from compliance.core.web.errors import Refusal
from compliance.core.web.files.key_files import create_private_file
from compliance.core.web.pdf.verify_signature import DEFAULT_SEAL_PLACE, MIN_KEY_BITS, Seal, signature_update

KEY_BITS = 3072
# As long as reports signed with it are checked. Keys are usually rotated sooner.
VALID_FOR = timedelta(days=3652)
CLOCK_SKEW = timedelta(days=1)
LONGEST_NAME = 64


class CannotSign(Refusal):
    code = "cannot-sign"
    status = 503
    title = "The file could not be signed"
    detail = "The key that signs reports is missing or cannot be used, and nothing is handed out unsigned."
    remedy = "Tell those who run the service: the status page and the help page Backup and restore say what to do."


@dataclass(frozen=True)
class ReportKey:
    """The private key, its certificate, and the certificates of its chain, all as DER."""

    private: bytes
    certificate: bytes
    chain: tuple[bytes, ...]
    since: datetime
    until: datetime

    @cached_property
    def sha256(self) -> str:
        """Fingerprint of the certificate."""
        return sha256(self.certificate).hexdigest()

    @cached_property
    def signature_size(self) -> int:
        """Length of a signature in bytes: the same for all, because each signs a digest."""
        return len(self.sign_digest(bytes(32)))

    def sign_digest(self, digest: bytes) -> bytes:
        # Imported here, because only processes that sign need pyHanko in memory.
        from asn1crypto import keys
        from asn1crypto import x509 as certificates
        from pyhanko.sign.signers import SimpleSigner
        from pyhanko_certvalidator.registry import SimpleCertificateStore

        known = SimpleCertificateStore()
        known.register_multiple(certificates.Certificate.load(one) for one in self.chain)
        signer = SimpleSigner(
            certificates.Certificate.load(self.certificate), keys.PrivateKeyInfo.load(self.private), known
        )
        # asyncio.run needs a thread without an event loop, and this one may have one.
        with ThreadPoolExecutor(1) as executor:
            sign = signer.async_sign(digest, "sha256", use_pades=True)
            signature: bytes = executor.submit(asyncio.run, sign).result().dump()
        return signature


def make_report_key(path: Path, now: datetime, valid_for: timedelta = VALID_FOR) -> None:
    """Creates a key with a self-signed certificate unless the file exists; readable by its owner only."""
    if not path.exists():
        create_private_file(path, generate_report_key(now, valid_for))


def generate_report_key(now: datetime, valid_for: timedelta = VALID_FOR) -> bytes:
    """A private key and its self-signed certificate, as PEM."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=KEY_BITS)
    name = f"Fairthrow report signing, {settings.SITE_NAME}"[:LONGEST_NAME]
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    usage = x509.KeyUsage(
        digital_signature=True,
        content_commitment=True,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=False,
        crl_sign=False,
        encipher_only=False,
        decipher_only=False,
    )
    certificate = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - CLOCK_SKEW)
        .not_valid_after(now + valid_for)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(usage, critical=True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return private + certificate.public_bytes(serialization.Encoding.PEM)


def load_report_key() -> ReportKey:
    """The key as in the file now.
    Cached by modification time, because an operator may replace it while the service runs."""
    path = Path(settings.REPORT_KEY_FILE)
    try:
        about = path.stat()
        return _read_key_file(path, about.st_mtime_ns, about.st_ino)
    except FileNotFoundError as error:
        raise CannotSign(f"There is no report key at {path}.") from error
    except (OSError, ValueError, TypeError) as error:
        raise CannotSign(f"The report key {path} cannot be used: {error}") from error


@lru_cache(maxsize=4)
def _read_key_file(path: Path, changed: int, which: int) -> ReportKey:
    content = path.read_bytes()
    private = serialization.load_pem_private_key(content, None)
    if not isinstance(private, rsa.RSAPrivateKey) or private.key_size < MIN_KEY_BITS:
        raise ValueError(f"it must be an RSA key of {MIN_KEY_BITS} bits or more.")
    certificates = x509.load_pem_x509_certificates(content)
    own = next((one for one in certificates if one.public_key() == private.public_key()), None)
    if own is None:
        raise ValueError("none of its certificates belongs to its key.")
    form = serialization.Encoding.DER
    return ReportKey(
        private=private.private_bytes(form, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()),
        certificate=own.public_bytes(form),
        chain=tuple(one.public_bytes(form) for one in certificates if one != own),
        since=own.not_valid_before_utc,
        until=own.not_valid_after_utc,
    )


def sign_pdf(content: bytes, now: datetime, place: str = DEFAULT_SEAL_PLACE) -> bytes:
    """The signed PDF. `place`: left, bottom and font size of the signature line on the last page."""
    key = load_report_key()
    if not key.since <= now <= key.until:
        raise CannotSign(
            f"The certificate of the report key is valid from {key.since:%Y-%m-%d} to {key.until:%Y-%m-%d}."
        )
    seal = Seal(f"{now.astimezone(UTC):%Y%m%d%H%M%S}", key.sha256, place)
    update, hole, hole_end = signature_update(content, seal, bytes(key.signature_size))
    before, after = update[: hole - len(content)], update[hole_end - len(content) :]
    digest = sha256(content)
    digest.update(before + after)
    container = key.sign_digest(digest.digest())
    if len(container) != key.signature_size:
        raise CannotSign("The signature is not as long as every other of this key.")
    return b"".join((content, before, b"<", container.hex().encode(), b">", after))


def signed_pdf_response(
    content: bytes, file_name: str, now: datetime, *, is_inline: bool = True, place: str = DEFAULT_SEAL_PLACE
) -> HttpResponse:
    """Response with a PDF that is signed for this request and not stored."""
    how = "inline" if is_inline else "attachment"
    headers = {"Content-Disposition": f'{how}; filename="{file_name}"', "Cache-Control": "no-store"}
    return HttpResponse(sign_pdf(content, now, place), content_type="application/pdf", headers=headers)
