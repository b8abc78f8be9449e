"""The second factor: codes of an authenticator app (TOTP), and recovery codes for when it is lost."""

import base64
import io
import math
import re
import secrets
from datetime import datetime

import qrcode
import qrcode.image.svg
from django.db import transaction
from django_otp.models import Device
from django_otp.oath import TOTP
from django_otp.plugins.otp_totp.models import TOTPDevice
from django_otp.util import random_hex

from compliance.core.accounts.errors import TooManyCodeAttempts, WrongCode
from compliance.core.accounts.models import RecoveryCode, RecoverySheet, User

RECOVERY_CODE_COUNT = 10
FEW_RECOVERY_CODES = 3
# Without letters and digits that look alike on paper.
RECOVERY_CODE_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
TOLERATED_STEPS = 1


def new_totp_key() -> str:
    return str(random_hex(20))


def format_secret(key: str) -> str:
    """The secret to type into the app where the QR code cannot be scanned: base 32, in groups of four."""
    text = base64.b32encode(bytes.fromhex(key)).decode()
    return " ".join(text[start : start + 4] for start in range(0, len(text), 4))


def enrolment_qr_svg(user: User, key: str) -> bytes:
    """QR code of the otpauth URL as SVG. One path with its own fill, which a strict CSP does not block."""
    address = TOTPDevice(user=user, key=key).config_url
    picture = qrcode.make(address, image_factory=qrcode.image.svg.SvgPathFillImage, border=4)
    written = io.BytesIO()
    picture.save(written)
    return written.getvalue()


def totp_at(key: str, now: datetime) -> TOTP:
    totp = TOTP(bytes.fromhex(key))
    totp.time = now.timestamp()
    return totp


def matching_time_step(key: str, code: str, now: datetime) -> int | None:
    """The time step that the code belongs to, if an app may show it now; else None."""
    typed = normalize_code(code)
    totp = totp_at(key, now)
    return int(totp.t()) if is_totp_format(typed) and totp.verify(int(typed), TOLERATED_STEPS) else None


def normalize_code(code: str) -> str:
    return re.sub(r"[\s-]", "", code).lower()


def is_totp_format(typed: str) -> bool:
    return re.fullmatch(r"[0-9]{6}", typed) is not None


def verify_code(*, user: User, code: str, now: datetime) -> Device:
    """The device that accepts the code.
    Each code works once; each wrong one lengthens the wait before the next attempt."""
    typed = normalize_code(code)
    kind = TOTPDevice if is_totp_format(typed) else RecoverySheet
    # Nothing may raise inside: the rollback would lose the count of wrong attempts.
    with transaction.atomic():
        device = kind.objects.select_for_update().filter(user=user, confirmed=True).first()
        is_allowed, why = device.verify_is_allowed() if device else (True, None)
        is_proved = bool(device and is_allowed and device.verify_token(typed))
    if why is not None:
        wait = math.ceil((why["locked_until"] - now).total_seconds())
        raise TooManyCodeAttempts(f"There were too many wrong codes. Wait {_format_wait(wait)}, then try again.")
    if not is_proved:
        raise WrongCode
    return device


def _format_wait(seconds: int) -> str:
    amount, unit = (seconds, "second") if seconds < 120 else (math.ceil(seconds / 60), "minute")
    return f"{amount} {unit}{'' if amount == 1 else 's'}"


@transaction.atomic
def issue_recovery_codes(user: User) -> list[str]:
    """Replaces the recovery codes. The sheet's row stays, so sessions that were verified with it stay valid."""
    codes = ["".join(secrets.choice(RECOVERY_CODE_ALPHABET) for _ in range(12)) for _ in range(RECOVERY_CODE_COUNT)]
    sheet, _ = RecoverySheet.objects.update_or_create(
        user=user, defaults={"name": "Recovery codes", "confirmed": True, "salt": secrets.token_hex(16)}
    )
    sheet.codes.all().delete()
    RecoveryCode.objects.bulk_create(RecoveryCode(sheet=sheet, code_scrypt=sheet.hash_code(code)) for code in codes)
    return [f"{code[:4]}-{code[4:8]}-{code[8:]}" for code in codes]


def count_recovery_codes_left(user: User) -> int:
    return RecoveryCode.objects.unused().filter(sheet__user=user).count()
