"""Codes: what stands in a row of floats for a value that is no number. A hash of 52 bits, among numbers that no mechanism means.

Values that collide (of a thousand categories two, with probability 1e-10) are distinguished by no event, which can only hide a loss.
"""

import hashlib

import numpy as np
from numpy.typing import NDArray

from banditproof.interaction import Floats

_LOW, HIGHEST = -(2.0**1001), -(2.0**1000)  # codes lie above the one and not above the other


def code_of(kind: str, value: bytes) -> float:
    """The code of a value of some kind: the same in every run and on every machine."""
    digest = hashlib.blake2b(kind.encode() + b"\0" + value, digest_size=8).digest()
    return HIGHEST * (1.0 + (int.from_bytes(digest, "little") >> 12) / 2.0**52)


def is_code(values: Floats) -> NDArray[np.bool_]:
    """Which of some numbers are codes."""
    return np.asarray((values <= HIGHEST) & (values > _LOW))
