"""Checks signed PDFs with readers other than the one that signed.

pyHanko's validator and `cryptography` are always there. Poppler's pdfsig (NSS) and `openssl` are used if installed.
"""

import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from io import BytesIO
from pathlib import Path

from asn1crypto import cms
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.hashes import SHA256
from pyhanko.pdf_utils.misc import PdfError
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.diff_analysis import ModificationLevel
from pyhanko.sign.validation import validate_pdf_signature
from pyhanko.sign.validation.errors import SignatureValidationError
from pyhanko.sign.validation.status import SignatureCoverageLevel
from pyhanko_certvalidator import ValidationContext

PDFSIG, OPENSSL = shutil.which("pdfsig"), shutil.which("openssl")
VALID = "Signature is Valid."


def pyhanko_accepts(content: bytes) -> bool:
    """One signature over the whole file, by the certificate it names, that allows no changes and found none."""
    try:
        signatures = PdfFileReader(BytesIO(content)).embedded_signatures
        if len(signatures) != 1:
            return False
        trusted = ValidationContext(trust_roots=[signatures[0].signer_cert], allow_fetching=False)
        # It needs its own event loop, and browser tests leave one in this thread.
        with ThreadPoolExecutor(1) as aside:
            status = aside.submit(validate_pdf_signature, signatures[0], trusted).result()
    except (PdfError, SignatureValidationError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return False
    return bool(
        status.bottom_line
        and status.coverage == SignatureCoverageLevel.ENTIRE_FILE
        and status.modification_level == ModificationLevel.NONE
        and status.docmdp_ok
    )


def container_of(content: bytes) -> tuple[bytes, bytes]:
    """The CMS container and the bytes it signs, by the file's last byte range, which must end where the file ends."""
    ranges = re.findall(rb"/ByteRange\[0 (\d+) +(\d+) +(\d+) *\]", content)
    if not ranges:
        raise ValueError("no byte range")
    hole, end, length = (int(number) for number in ranges[-1])
    if end + length != len(content):
        raise ValueError("the byte range ends elsewhere")
    return bytes.fromhex(content[hole + 1 : end - 1].decode("ascii")), content[:hole] + content[end:]


def primitives_accept(content: bytes) -> bool:
    """Verifies the digest, the signed attributes and the RSA signature directly."""
    try:
        container, covered = container_of(content)
        [signer] = cms.ContentInfo.load(container, strict=True)["content"]["signer_infos"]
        bag = cms.ContentInfo.load(container)["content"]["certificates"]
        said = {one["type"].native: one["values"][0].native for one in signer["signed_attrs"]}
        number = signer["sid"].chosen["serial_number"].native
        [own] = [one.chosen for one in bag if one.chosen.serial_number == number]
        public = x509.load_der_x509_certificate(own.dump()).public_key()
        assert isinstance(public, rsa.RSAPublicKey)
        attributes = signer["signed_attrs"].untag().dump()
        public.verify(signer["signature"].native, attributes, padding.PKCS1v15(), SHA256())
    except (ValueError, InvalidSignature, KeyError, TypeError):
        return False
    return bool(said["message_digest"] == sha256(covered).digest())


def pdfsig_says(path: Path) -> str:
    """Poppler's output about the signature, without a check of the certificate's trust."""
    return subprocess.run([PDFSIG or "", "-nocert", path], capture_output=True, text=True, check=False).stdout


def pdfsig_accepts(path: Path) -> bool:
    said = pdfsig_says(path)
    return said.count("Signature #") == 1 and VALID in said and "Total document signed" in said


def openssl_accepts(content: bytes, folder: Path) -> bool:
    """The program's own CMS check over the signed bytes, trusting whatever certificate is in it."""
    try:
        container, covered = container_of(content)
    except ValueError:
        return False
    (folder / "signed.bin").write_bytes(covered)
    (folder / "signature.der").write_bytes(container)
    command: list[str | Path] = [
        OPENSSL or "", "cms", "-verify", "-binary", "-noverify", "-inform", "DER", "-in", folder / "signature.der",
        "-content", folder / "signed.bin", "-out", folder / "out.bin",
    ]  # fmt: skip
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def readers_that_accept(content: bytes, folder: Path) -> dict[str, bool]:
    """For each installed reader, whether it accepts the file as genuine and complete."""
    path = folder / "read.pdf"
    path.write_bytes(content)
    found = {"pyHanko": pyhanko_accepts(content), "primitives": primitives_accept(content)}
    if PDFSIG:
        found["pdfsig"] = pdfsig_accepts(path)
    if OPENSSL:
        found["openssl"] = openssl_accepts(content, folder)
    return found
