"""What a client randomiser sends, by the kernel that is shipped: reports of many users at once."""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np

from banditproof.audits.methods.pointwise import At
from banditproof.interaction import ClientRandomiser, Floats, Kernel, Words
from banditproof.kernels import compiled, native
from banditproof.randomness import key_of


def _every_user(randomise: Kernel, setup: Floats, key: Words, messages: Floats, reports: Floats) -> None:
    for round in range(messages.shape[0]):
        randomise(setup, key, round, messages[round], reports[round])


every_user = compiled(_every_user)


def reports_of(randomiser: ClientRandomiser, messages: Floats, key: Words) -> Floats:
    """The reports (n, m, v) of the users of rounds 0 to n - 1, from their messages (n, w); the same key gives the same noise."""
    reports = np.zeros((len(messages), *randomiser.messages(messages.shape[1])))
    every_user(native(randomiser.kernel), randomiser.setup(), key, np.ascontiguousarray(messages, dtype=float), reports)
    return reports


# Numbers of a user inside [0, 1], at its ends, beside them, and far outside.
MESSAGES = np.array([0.0, 1.0, 0.25, 0.9, -1e-9, 1.0 + 1e-9, -3.0, 7.5, 1e300, -1e300, np.inf, -np.inf, np.nan])


def messages_of(width: int) -> Floats:
    """Messages (n, w) with every one of MESSAGES in every place, among others."""
    places = (np.arange(len(MESSAGES))[:, None] + 4 * np.arange(width)[None, :]) % len(MESSAGES)
    return np.asarray(MESSAGES[places])


KEY = np.append(key_of(11, "reports"), np.uint64(3))  # of run 3


def replayed(randomiser: ClientRandomiser, expected: Callable[[float, int, int], float]) -> Iterator[At]:
    """Every number that is sent beside `expected(number, width, place)`, where place counts the numbers of all users; NaN as NaN."""
    for width in (1, 2, 5):
        messages = messages_of(width)
        sent = reports_of(randomiser, messages, KEY)[:, 0]
        for place, (number, shipped) in enumerate(zip(messages.ravel().tolist(), sent.ravel().tolist(), strict=True)):
            wanted = expected(number, width, place)
            off = 0.0 if math.isnan(shipped) and math.isnan(wanted) else abs(shipped - wanted)
            yield At({"number": number, "width": width, "place": place}, Fraction(off) if math.isfinite(off) else 1, Fraction(1, 10**9))


def clipped(number: float) -> float:
    """In [0, 1]; NaN stays, since nothing sensible can be sent for it, and is refused by whoever reads it."""
    return number if math.isnan(number) else min(max(number, 0.0), 1.0)
