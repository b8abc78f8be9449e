"""Ed25519 (RFC 8032), verification only."""

from __future__ import annotations

import hashlib

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)
Point = tuple[int, int, int, int]


def _decode_point(encoded: bytes) -> Point:
    number = int.from_bytes(encoded, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT_OF_MINUS_ONE % P
    if len(encoded) != 32 or y >= P or (x * x - square) % P or (x == 0 and sign):
        raise ValueError("not a point of the curve")
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


def _add_points(p: Point, q: Point) -> Point:
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def _double_point(p: Point) -> Point:
    a, b = p[0] * p[0] % P, p[1] * p[1] % P
    h = a + b
    e, g = h - (p[0] + p[1]) * (p[0] + p[1]), a - b
    f = 2 * p[2] * p[2] + g
    return e * f % P, g * h % P, f * g % P, e * h % P


BASE = _decode_point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def ed25519_accepts(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether s*B - k*A encodes to exactly the R of the signature."""
    try:
        x, y, _, xy = _decode_point(public_key)
    except ValueError:
        return False
    s = int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or s >= ORDER:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + public_key + message).digest(), "little") % ORDER
    minus_a: Point = (P - x, y, 1, P - xy)
    table: list[Point] = [(0, 1, 1, 0), BASE, minus_a, _add_points(BASE, minus_a)]
    total = table[0]
    for bit in range(252, -1, -1):
        total = _double_point(total)
        choice = (s >> bit & 1) | (k >> bit & 1) << 1
        if choice:
            total = _add_points(total, table[choice])
    inverse = pow(total[2], P - 2, P)
    found_x, found_y = total[0] * inverse % P, total[1] * inverse % P
    return (found_y | (found_x & 1) << 255).to_bytes(32, "little") == signature[:32]
