"""Mechanisms of users that do not come back, and some whose outputs are no floats."""

import ctypes
import os
import signal
import sys
import time

import numpy as np

calls = 0


def _after(most, ends):
    """Too little noise, and an end at a call; the two outputs of a pair of datasets are easily told from each other."""

    def mechanism(data, rng):
        global calls
        calls += 1
        if calls > most:
            ends()
        return sum(data) + rng.laplace(0.0, 0.1)

    return mechanism


hangs = _after(1200, lambda: time.sleep(1000.0))
leaves = _after(1200, lambda: os._exit(0))
crashes = _after(1200, lambda: ctypes.string_at(0))
is_killed = _after(1200, lambda: os.kill(os.getpid(), signal.SIGKILL))
stops = _after(1200, lambda: sys.exit("no licence"))
takes_memory = _after(1200, lambda: np.ones(2**31))
leaves_at_once = _after(0, lambda: os._exit(11))
is_slow = _after(0, lambda: time.sleep(1.0))


def whole(data, rng):
    return 2**60 + int(data[0])


def beside_noise(data, rng):
    return [rng.normal(), 10**18 + int(data[0])]


def words(data, rng):
    return "yes" if data[0] else "no"


def noise(data, rng):
    return sum(data) + rng.laplace()


def lists(data, rng):
    return [sum(data) + rng.laplace()] * (1 + (rng.random() < 0.5))


def arrays(data, runs, rng):
    return np.sum(data) + rng.laplace(size=runs)


def wants_an_array(data, rng):
    return data.sum() + rng.laplace()
